"""What the site keeps: learners, submissions with their reports, drafts, notes, progress."""

from grader.site.store.models import Progress, StoreRefused, Submission
from grader.site.store.store import Store

__all__ = ["Progress", "Store", "StoreRefused", "Submission"]
