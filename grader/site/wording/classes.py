"""Words of classes: joining, assignments, the teacher's table. English, Chinese, Vietnamese."""

from __future__ import annotations

from typing import Final

from grader.site.wording.rows import Rows

ROWS: Final[Rows] = {
    "classes": ("Classes", "班级", "Lớp học"),
    "classes.taught": ("Classes you teach", "您教的班级", "Lớp bạn dạy"),
    "classes.attended": ("Classes you attend", "您加入的班级", "Lớp bạn học"),
    "classes.none": ("None yet.", "暂无。", "Chưa có."),
    "classes.todo": ("To be done", "待完成", "Việc cần làm"),
    "classes.code": ("Code from your teacher", "老师给的代码", "Mã do giáo viên đưa"),
    "classes.join_now": ("Join", "加入", "Vào"),
    "classes.name": ("Name of the class", "班级名称", "Tên lớp"),
    "classes.make": ("Make the class", "创建班级", "Tạo lớp"),
    "classes.archived": ("put away", "已归档", "đã cất"),
    "class.code": ("Join code", "加入代码", "Mã vào lớp"),
    "class.closed": ("Nobody can join", "已关闭加入", "Không ai vào được"),
    "class.link": ("Link to join by", "加入链接", "Liên kết vào lớp"),
    "class.new_code": ("New code", "更换代码", "Mã mới"),
    "class.close": ("Close for joining", "关闭加入", "Đóng, không nhận thêm"),
    "class.archive": ("Put away", "归档", "Cất đi"),
    "class.unarchive": ("Take out again", "取消归档", "Lấy ra lại"),
    "class.rename": ("Rename", "重命名", "Đổi tên"),
    "class.delete": ("Delete class", "删除班级", "Xóa lớp"),
    "class.delete.ask": ("Delete {name}?", "删除 {name}？", "Xóa {name}?"),
    "class.delete.what": (
        "Its assignments and list of members go. What its learners submitted stays theirs.",
        "班级的作业和成员名单将被删除，学习者的提交仍归各自所有。",
        "Bài giao và danh sách thành viên sẽ mất. Bài đã nộp vẫn là của người học.",
    ),
    "class.keep": ("Keep it", "保留", "Giữ lại"),
    "class.leave": ("Leave the class", "退出班级", "Rời lớp"),
    "class.remove": ("Remove from the class", "移出班级", "Đưa khỏi lớp"),
    "class.settings": ("Settings of the class", "班级设置", "Thiết lập lớp"),
    "class.nothing": (
        "Nothing is set yet.",
        "还没有作业。",
        "Chưa giao bài nào.",
    ),
    "class.nobody": (
        "Nobody has joined yet. Give your learners the code or the link.",
        "还没有人加入。请把代码或链接发给学习者。",
        "Chưa có ai vào lớp. Hãy đưa mã hoặc liên kết cho người học.",
    ),
    "class.all": ("All problems", "全部题目", "Mọi bài"),
    "class.size": (
        "{learners} learners, {problems} problems",
        "{learners} 名学习者，{problems} 道题",
        "{learners} người học, {problems} bài",
    ),
    "class.learner": ("Learner", "学习者", "Người học"),
    "class.solved_by": ("Solved by", "已解决人数", "Số người giải"),
    "class.tries": ("number: tries", "数字：尝试次数", "số: lần thử"),
    "class.late": ("late", "逾期", "trễ"),
    "class.cell": (
        "{state}, one try|{state}, {n} tries",
        "{state}，尝试 {n} 次",
        "{state}, {n} lần thử",
    ),
    "class.best": (
        "{title}, best {passed} of {total} cases",
        "{title}，最好 {passed}/{total} 个用例",
        "{title}, tốt nhất {passed} trên {total} ca",
    ),
    "class.bars": (
        "Short bar passed, tall bar failed, middle bar stopped at a limit.",
        "短条为通过，长条为未通过，中条为超出限制。",
        "Cột thấp là đạt, cột cao là sai, cột giữa là chạm giới hạn.",
    ),
    "class.passed": (
        "{passed} of {total} cases passed",
        "通过 {passed}/{total} 个用例",
        "{passed} trên {total} ca đạt",
    ),
    "class.failing": (
        "Fails in the latest: {names}",
        "最近一次未通过：{names}",
        "Lần gần nhất sai ở: {names}",
    ),
    "class.private": (
        "What learners wrote is theirs; the table shows verdicts.",
        "代码属于学习者本人；此表只显示评测结果。",
        "Mã là của người học; bảng chỉ cho thấy kết quả chấm.",
    ),
    "assignment.new": ("New assignment", "新作业", "Bài giao mới"),
    "assignment.edit": ("Edit assignment", "编辑作业", "Sửa bài giao"),
    "assignment.title": ("Title", "标题", "Tiêu đề"),
    "assignment.opens": ("Shown from", "开放时间", "Hiện từ"),
    "assignment.due": ("Due", "截止时间", "Hạn nộp"),
    "assignment.zone": ("Time zone: {name}", "时区：{name}", "Múi giờ: {name}"),
    "assignment.pick": ("Problems", "题目", "Bài tập"),
    "assignment.delete": ("Delete assignment", "删除作业", "Xóa bài giao"),
    "assignment.over": ("over", "已截止", "đã hết hạn"),
    "assignment.done": ("{solved} of {n} solved", "已解决 {solved}/{n}", "đã giải {solved}/{n}"),
    "f.join": (
        "There is no class with that code; ask your teacher.",
        "没有使用该代码的班级，请询问老师。",
        "Không có lớp nào với mã này; hãy hỏi giáo viên.",
    ),
    "f.assignment.title": ("A title is missing.", "缺少标题。", "Thiếu tiêu đề."),
    "f.assignment.problems": (
        "At least one problem is needed.",
        "至少需要一道题。",
        "Cần ít nhất một bài.",
    ),
    "f.assignment.time": (
        "That is no date and time.",
        "日期或时间无效。",
        "Ngày giờ không hợp lệ.",
    ),
    "f.assignment.order": (
        "It must be shown before it is due.",
        "开放时间必须早于截止时间。",
        "Thời điểm hiện phải trước hạn nộp.",
    ),
}
