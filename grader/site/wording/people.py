"""Words of accounts and of those who run the site. English, Chinese, Vietnamese."""

from __future__ import annotations

from typing import Final

from grader.site.wording.rows import Rows

ROWS: Final[Rows] = {
    # The door
    "sign_in": ("Sign in", "登录", "Đăng nhập"),
    "sign_up": ("Make an account", "注册", "Đăng ký"),
    "sign_out": ("Sign out", "退出登录", "Đăng xuất"),
    "sign_in.submit": ("Sign in to submit", "登录后提交", "Đăng nhập để nộp"),
    "sign_in.failed": ("You are not signed in.", "登录失败。", "Chưa đăng nhập được."),
    "door.say": (
        "Write every operation by hand, see at once where it goes wrong.",
        "亲手写出每一步运算，立刻知道错在哪里。",
        "Viết tay từng phép tính, biết ngay sai ở đâu.",
    ),
    "door.more": (
        "{n} problems in PyTorch, NumPy and machine learning. Each submission is judged case by"
        " case:"
        " right or wrong, at which element, and how far off.",
        "{n} 道 PyTorch、NumPy 与机器学习题目。每次提交逐个用例评测：对还是错，错在哪个元素，"
        "差多少。",
        "{n} bài tập PyTorch, NumPy và học máy. Mỗi bài nộp được chấm từng ca một: đúng hay sai,"
        " sai ở"
        " phần tử nào, lệch bao nhiêu.",
    ),
    "login": ("Login", "登录名", "Tên đăng nhập"),
    "login.about": (
        "2 to 40 of a–z, 0–9, dot, dash, underscore",
        "2 至 40 个字符：a–z、0–9、点、连字符、下划线",
        "2 đến 40 ký tự: a–z, 0–9, dấu chấm, gạch nối, gạch dưới",
    ),
    "name": ("Name that is shown", "显示名称", "Tên hiển thị"),
    "password": ("Password", "密码", "Mật khẩu"),
    "password.about": (
        "at least 10 characters; a few words in a row are good",
        "至少 10 个字符；几个词连在一起就很好",
        "ít nhất 10 ký tự; vài từ liền nhau là tốt",
    ),
    "or": ("or", "或", "hoặc"),
    "with": ("Go on with {name}", "使用 {name} 继续", "Tiếp tục với {name}"),
    "no_account": ("No account yet?", "还没有账号？", "Chưa có tài khoản?"),
    "have_account": ("You have one already?", "已有账号？", "Đã có tài khoản?"),
    "closed": (
        "Accounts of this site are made by those who run it.",
        "本站账号由管理员创建。",
        "Tài khoản của trang này do người quản trị tạo.",
    ),
    "forgotten": (
        "Forgotten? Those who run the site can send you a link.",
        "忘记密码？请联系管理员获取重设链接。",
        "Quên mật khẩu? Người quản trị có thể gửi cho bạn một liên kết.",
    ),
    "sign_in.code": (
        "Your code is kept in this browser.",
        "代码已保存在此浏览器中。",
        "Mã của bạn được giữ trong trình duyệt này.",
    ),
    # What is wrong with a form
    "f.wrong": (
        "Login or password is not right.",
        "登录名或密码不正确。",
        "Tên đăng nhập hoặc mật khẩu không đúng.",
    ),
    "f.login.taken": (
        "That login is taken; choose another.",
        "该登录名已被使用，请换一个。",
        "Tên đăng nhập này đã có người dùng; hãy chọn tên khác.",
    ),
    "f.login.bad": (
        "A login has 2 to 40 characters of a–z, 0–9, dot, dash and underscore, and begins with a"
        " letter"
        " or a digit.",
        "登录名为 2 至 40 个字符，可用 a–z、0–9、点、连字符和下划线，且以字母或数字开头。",
        "Tên đăng nhập có 2 đến 40 ký tự gồm a–z, 0–9, dấu chấm, gạch nối, gạch dưới, bắt đầu"
        " bằng chữ"
        " hoặc số.",
    ),
    "f.password.short": (
        "A password needs at least 10 characters.",
        "密码至少需要 10 个字符。",
        "Mật khẩu cần ít nhất 10 ký tự.",
    ),
    "f.password.long": (
        "A password has at most 200 characters.",
        "密码最多 200 个字符。",
        "Mật khẩu có nhiều nhất 200 ký tự.",
    ),
    "f.password.easy": (
        "That password is easily guessed; a few words in a row are better.",
        "该密码太容易被猜到；几个词连在一起更好。",
        "Mật khẩu này dễ đoán; vài từ liền nhau thì tốt hơn.",
    ),
    "f.password.old": (
        "The present password is not right.",
        "当前密码不正确。",
        "Mật khẩu hiện tại không đúng.",
    ),
    "f.link.used": (
        "That link was used or has run out; ask for another.",
        "该链接已使用或已过期，请重新索取。",
        "Liên kết này đã được dùng hoặc hết hạn; hãy xin liên kết khác.",
    ),
    "f.unlink.last": (
        "That is the only way into this account; set a password first.",
        "这是登录此账号的唯一方式；请先设置密码。",
        "Đây là cách duy nhất để vào tài khoản này; hãy đặt mật khẩu trước.",
    ),
    "f.delete.wrong": (
        "That is not the login of this account.",
        "与此账号的登录名不符。",
        "Đó không phải tên đăng nhập của tài khoản này.",
    ),
    "f.delete.owns": (
        "You teach classes; delete them first.",
        "您名下有班级；请先删除班级。",
        "Bạn đang dạy lớp; hãy xóa lớp trước.",
    ),
    "f.elsewhere": (
        "The other site did not confirm who you are; try again.",
        "对方网站未能确认您的身份，请重试。",
        "Trang kia không xác nhận bạn là ai; hãy thử lại.",
    ),
    "f.identity.taken": (
        "That account elsewhere opens another account here.",
        "该外部账号已绑定到本站另一个账号。",
        "Tài khoản bên ngoài đó đã gắn với một tài khoản khác ở đây.",
    ),
    # An account
    "account": ("Account", "账号", "Tài khoản"),
    "password.change": ("Change password", "修改密码", "Đổi mật khẩu"),
    "password.set": ("Set password", "设置密码", "Đặt mật khẩu"),
    "password.old": ("Present password", "当前密码", "Mật khẩu hiện tại"),
    "password.new": ("New password", "新密码", "Mật khẩu mới"),
    "sessions": ("Signed in", "已登录的设备", "Đang đăng nhập"),
    "sessions.this": ("this browser", "当前浏览器", "trình duyệt này"),
    "sessions.end": ("End", "结束", "Kết thúc"),
    "sessions.others": (
        "Sign out everywhere else",
        "在其他地方全部退出",
        "Đăng xuất ở mọi nơi khác",
    ),
    "seen": ("Last seen", "最近使用", "Lần cuối"),
    "browser": ("Browser", "浏览器", "Trình duyệt"),
    "tokens": ("Tokens for the API", "API 令牌", "Mã thông báo cho API"),
    "tokens.about": (
        "For the command line: grader submit SLUG FILE --site {url}",
        "用于命令行：grader submit SLUG FILE --site {url}",
        "Dùng cho dòng lệnh: grader submit SLUG FILE --site {url}",
    ),
    "tokens.name": ("What it is for", "用途", "Dùng để làm gì"),
    "tokens.days": (
        "Days it lasts, 0 for ever",
        "有效天数，0 为永久",
        "Số ngày có hiệu lực, 0 là mãi mãi",
    ),
    "tokens.make": ("Make a token", "创建令牌", "Tạo mã thông báo"),
    "tokens.revoke": ("Revoke", "撤销", "Thu hồi"),
    "tokens.none": ("There are none.", "暂无。", "Chưa có."),
    "tokens.fresh": (
        "Copy it now; it is not shown again:",
        "请立即复制，之后不再显示：",
        "Hãy sao chép ngay; nó sẽ không hiện lại:",
    ),
    "until": ("Until", "有效期至", "Đến"),
    "never": ("never", "从未", "chưa bao giờ"),
    "forever": ("for ever", "永久", "mãi mãi"),
    "ways": ("Accounts elsewhere", "外部账号", "Tài khoản bên ngoài"),
    "ways.link": ("Link {name}", "绑定 {name}", "Gắn {name}"),
    "ways.unlink": ("Unlink {name}", "解绑 {name}", "Gỡ {name}"),
    "delete": ("Delete account", "删除账号", "Xóa tài khoản"),
    "delete.ask": ("Delete this account?", "删除此账号？", "Xóa tài khoản này?"),
    "delete.what": (
        "All submissions, notes and drafts go with it, and cannot be brought back. Type the login"
        " {login}"
        " to go on.",
        "所有提交、笔记和草稿都会随之删除，且无法恢复。请输入登录名 {login} 继续。",
        "Mọi bài nộp, ghi chú và bản nháp sẽ mất theo và không lấy lại được. Gõ tên đăng nhập"
        " {login} để"
        " tiếp tục.",
    ),
    "delete.no": ("Keep it", "保留", "Giữ lại"),
    # Those who run the site
    "admin": ("Administration", "管理", "Quản trị"),
    "admin.accounts": ("Accounts", "账号", "Tài khoản"),
    "admin.find": ("Login or name", "登录名或名称", "Tên đăng nhập hoặc tên"),
    "admin.search": ("Search", "搜索", "Tìm"),
    "admin.role": ("Role", "角色", "Vai trò"),
    "role.learner": ("learner", "学习者", "người học"),
    "role.author": ("author", "作者", "tác giả"),
    "role.admin": ("admin", "管理员", "quản trị"),
    "admin.disable": ("Disable", "停用", "Khóa"),
    "admin.enable": ("Enable", "启用", "Mở khóa"),
    "admin.disabled": ("disabled", "已停用", "đã khóa"),
    "admin.link": ("Password link", "密码链接", "Liên kết mật khẩu"),
    "admin.fresh": (
        "Give this link to {login}; it works once, for a day:",
        "请将此链接交给 {login}；一天内有效，仅可使用一次：",
        "Đưa liên kết này cho {login}; dùng được một lần, trong một ngày:",
    ),
    "admin.more": ("More", "更多", "Thêm"),
    "admin.none": ("Nobody is called that.", "没有找到。", "Không tìm thấy ai."),
    "created": ("Made", "创建时间", "Ngày tạo"),
    "admin.problems": ("Problems", "题目", "Bài tập"),
    "admin.queue": (
        "{queued} waiting, {running} being judged; the oldest for {wait} s",
        "{queued} 个等待中，{running} 个评测中；最长已等待 {wait} 秒",
        "{queued} đang chờ, {running} đang chấm; lâu nhất đã {wait} giây",
    ),
    "admin.faults": (
        "These files were refused; what was there before stays.",
        "以下文件被拒绝；此前的版本仍在使用。",
        "Các tệp này bị từ chối; bản trước đó vẫn được dùng.",
    ),
    "admin.reload": ("Read the files again", "重新读取文件", "Đọc lại các tệp"),
    "admin.rejudge": ("Rejudge", "重新评测", "Chấm lại"),
    "admin.rejudge.about": (
        "Judges anew what was judged by an earlier version of the problem; learners are told if"
        " their"
        " verdict changes.",
        "对按旧版题目评测过的提交重新评测；结果有变化时会通知学习者。",
        "Chấm lại những bài đã chấm theo phiên bản cũ của đề; người học được báo nếu kết quả đổi.",
    ),
    "admin.rejudged": (
        "One submission waits to be judged anew.|{n} submissions wait to be judged anew.",
        "{n} 个提交等待重新评测。",
        "{n} bài nộp chờ chấm lại.",
    ),
    "admin.attempts": ("Attempts", "提交次数", "Số lần nộp"),
    "admin.share": ("Accepted", "通过率", "Tỉ lệ đạt"),
    # Notices
    "notices": (
        "One of your verdicts changed.|{n} of your verdicts changed.",
        "您有 {n} 个评测结果发生变化。",
        "{n} kết quả của bạn đã thay đổi.",
    ),
    "notices.why": (
        "The cases of a problem were corrected, and what you sent was judged anew.",
        "题目用例已更正，您的提交已重新评测。",
        "Các ca của một bài đã được sửa, và bài nộp của bạn đã được chấm lại.",
    ),
    "notices.seen": ("I have seen it", "已知晓", "Đã xem"),
}
