"""What the site keeps: people, their submissions and results, classes, and what they left lying."""

from grader.site.store.accounts import (
    Account,
    BadLogin,
    Identity,
    IdentityTaken,
    LastWayIn,
    LoginTaken,
    OwnsCourses,
    Role,
)
from grader.site.store.class_standing import CaseAttempt, Cell
from grader.site.store.classes import Assignment, Course, Member
from grader.site.store.models import Progress, QueueFull, QueueState, StoreRefused, Submission
from grader.site.store.notices import Notice
from grader.site.store.store import Store
from grader.site.store.tickets import Session, Token

__all__ = [
    "Account",
    "Assignment",
    "BadLogin",
    "CaseAttempt",
    "Cell",
    "Course",
    "Identity",
    "IdentityTaken",
    "LastWayIn",
    "LoginTaken",
    "Member",
    "Notice",
    "OwnsCourses",
    "Progress",
    "QueueFull",
    "QueueState",
    "Role",
    "Session",
    "Store",
    "StoreRefused",
    "Submission",
    "Token",
]
