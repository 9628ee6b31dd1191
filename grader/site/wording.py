"""Every word of the site, in every language it speaks.

`{name}` is filled in; "one day|{n} days" says what stands for n = 1 and for any other n.
"""

from __future__ import annotations

from typing import Any, Final

from grader.site.values import Language

_COLUMNS: Final[tuple[Language, ...]] = ("en", "zh", "vi")
_ROWS: Final[dict[str, tuple[str, str, str]]] = {
    # Frame
    "skip": ("Skip to content", "跳到正文", "Chuyển đến nội dung"),
    "nav": ("Main", "主导航", "Điều hướng chính"),
    "problems": ("Problems", "题目", "Bài tập"),
    "progress": ("Progress", "进度", "Tiến độ"),
    "history": ("History", "提交记录", "Lịch sử"),
    "find": ("Search problems", "搜索题目", "Tìm bài tập"),
    "language": ("Language", "语言", "Ngôn ngữ"),
    "theme.None": ("Theme: as the system", "主题：跟随系统", "Giao diện: theo hệ thống"),
    "theme.light": ("Theme: light", "主题：浅色", "Giao diện: sáng"),
    "theme.dark": ("Theme: dark", "主题：深色", "Giao diện: tối"),
    "where": ("Where you are", "当前位置", "Vị trí hiện tại"),
    "close": ("Close", "关闭", "Đóng"),
    # Keys
    "keys": ("Keys", "快捷键", "Phím tắt"),
    "keys.submit": ("Submit", "提交", "Nộp bài"),
    "keys.run": ("Run", "运行", "Chạy thử"),
    "keys.leave": (
        "Leave the editor, then Tab moves on",
        "离开编辑器，再按 Tab 前往下一处",
        "Rời trình soạn thảo, rồi Tab đi tiếp",
    ),
    "keys.search": ("Search problems", "搜索题目", "Tìm bài tập"),
    "keys.list": (
        "Down and up a list, open",
        "在列表中下移、上移、打开",
        "Xuống, lên trong danh sách, mở",
    ),
    "keys.failing": (
        "Next, previous failing case",
        "下一个、上一个未通过的用例",
        "Ca sai tiếp theo, trước đó",
    ),
    "keys.parts": ("Statement, code, result", "题面、代码、结果", "Đề bài, mã, kết quả"),
    "keys.help": ("This help", "本帮助", "Bảng trợ giúp này"),
    "keys.single": ("Single-letter keys act", "启用单字母快捷键", "Bật phím tắt một chữ cái"),
    # Verdicts
    "v.accepted": ("Accepted", "通过", "Chấp nhận"),
    "v.wrong_answer": ("Wrong answer", "答案错误", "Sai kết quả"),
    "v.runtime_error": ("Runtime error", "运行错误", "Lỗi khi chạy"),
    "v.time_limit_exceeded": ("Time limit", "超出时间限制", "Quá thời gian"),
    "v.memory_limit_exceeded": ("Memory limit", "超出内存限制", "Quá bộ nhớ"),
    "v.output_limit_exceeded": ("Output limit", "超出输出限制", "Quá giới hạn đầu ra"),
    "v.forbidden": ("Forbidden", "使用了禁用项", "Dùng thứ bị cấm"),
    "v.security_violation": ("Security violation", "安全违规", "Vi phạm an toàn"),
    "v.invalid_submission": ("Invalid submission", "无效提交", "Bài nộp không hợp lệ"),
    "v.internal_error": ("Internal error", "系统错误", "Lỗi hệ thống"),
    "v.skipped": ("Not run", "未运行", "Không chạy"),
    "v.waiting": ("Waiting", "等待中", "Đang chờ"),
    "v.queued": ("Queued", "排队中", "Đang xếp hàng"),
    "v.running": ("Judging", "评测中", "Đang chấm"),
    "m.accepted": ("Every case passed.", "所有用例均通过。", "Mọi ca đều đạt."),
    "m.wrong_answer": (
        "A value, shape, dtype or type differs.",
        "值、形状、dtype 或类型不一致。",
        "Giá trị, shape, dtype hoặc kiểu khác với kết quả đúng.",
    ),
    "m.runtime_error": ("The code raised an exception.", "代码抛出了异常。", "Mã đã ném ngoại lệ."),
    "m.time_limit_exceeded": (
        "A case took longer than is allowed.",
        "有用例用时超过上限。",
        "Có ca chạy lâu hơn mức cho phép.",
    ),
    "m.memory_limit_exceeded": (
        "A case took more memory than is allowed.",
        "有用例内存超过上限。",
        "Có ca dùng bộ nhớ nhiều hơn mức cho phép.",
    ),
    "m.output_limit_exceeded": (
        "Too much was printed or returned.",
        "打印或返回的内容过多。",
        "In ra hoặc trả về quá nhiều.",
    ),
    "m.forbidden": (
        "The static check found something that is not allowed here; nothing was run.",
        "静态检查发现了本题不允许的内容；代码没有运行。",
        "Kiểm tra tĩnh phát hiện thứ không được dùng ở đây; mã chưa được chạy.",
    ),
    "m.security_violation": (
        "The sandbox refused an action.",
        "沙箱拒绝了一项操作。",
        "Hộp cát đã từ chối một thao tác.",
    ),
    "m.invalid_submission": (
        "The code does not parse, or lacks what it must define.",
        "代码无法解析，或缺少必须定义的内容。",
        "Mã không phân tích được, hoặc thiếu phần phải định nghĩa.",
    ),
    "m.internal_error": (
        "The fault is ours: this attempt does not count. Submit again.",
        "这是我们的问题：本次提交不计入。请重新提交。",
        "Lỗi thuộc về hệ thống: lần nộp này không được tính. Hãy nộp lại.",
    ),
    # List
    "glance": ("At a glance", "概览", "Tổng quan"),
    "solved": ("Solved", "已解决", "Đã giải"),
    "tried": ("Tried", "尝试过", "Đã thử"),
    "untouched": ("Not tried", "未尝试", "Chưa thử"),
    "of": ("of {n}", "/ {n}", "trên {n}"),
    "n.solved": ("{n} solved", "{n} 题已解决", "{n} đã giải"),
    "n.tried": ("{n} tried", "{n} 题尝试过", "{n} đã thử"),
    "n.untouched": ("{n} not tried", "{n} 题未尝试", "{n} chưa thử"),
    "streak": ("Streak", "连续天数", "Chuỗi ngày"),
    "n.days": ("{n} day|{n} days", "{n} 天", "{n} ngày"),
    "activity": (
        "Submissions a day over {weeks} weeks: {n} on {days} days.",
        "最近 {weeks} 周每天的提交：{days} 天共 {n} 次。",
        "Số lần nộp mỗi ngày trong {weeks} tuần: {n} lần trong {days} ngày.",
    ),
    "carry_on": ("Carry on", "继续", "Làm tiếp"),
    "start_here": ("Start here", "从这里开始", "Bắt đầu tại đây"),
    "all_solved": ("Every problem is solved.", "所有题目都已解决。", "Đã giải hết các bài."),
    "continue": ("Continue", "继续做", "Tiếp tục"),
    "next": ("Next: {title}", "下一题：{title}", "Bài tiếp: {title}"),
    "random": ("A random unsolved problem", "随机一道未解决的题", "Một bài chưa giải ngẫu nhiên"),
    "placeholder": ("Title, function or tag", "标题、函数或标签", "Tên bài, hàm hoặc thẻ"),
    "difficulty": ("Difficulty", "难度", "Độ khó"),
    "any": ("Any", "全部", "Tất cả"),
    "d.Easy": ("Easy", "简单", "Dễ"),
    "d.Medium": ("Medium", "中等", "Trung bình"),
    "d.Hard": ("Hard", "困难", "Khó"),
    "status": ("Status", "状态", "Trạng thái"),
    "any.status": ("Any status", "全部状态", "Mọi trạng thái"),
    "category": ("Category", "类别", "Chủ đề"),
    "any.category": ("Any category", "全部类别", "Mọi chủ đề"),
    "tag": ("Tag", "标签", "Thẻ"),
    "any.tag": ("Any tag", "全部标签", "Mọi thẻ"),
    "any.language": ("Any language", "全部语言", "Mọi ngôn ngữ"),
    "sort": ("Sort", "排序", "Sắp xếp"),
    "sort.difficulty": ("By difficulty", "按难度", "Theo độ khó"),
    "sort.title": ("By title", "按标题", "Theo tên"),
    "sort.status": ("By status", "按状态", "Theo trạng thái"),
    "sort.featured": ("Featured first", "精选在前", "Nổi bật trước"),
    "apply": ("Apply", "应用", "Áp dụng"),
    "problem": ("Problem", "题目", "Bài tập"),
    "featured": ("featured", "精选", "nổi bật"),
    "n.problems": ("{n} problem|{n} problems", "{n} 道题", "{n} bài"),
    "empty.list": ("No problem fits", "没有符合条件的题目", "Không có bài nào khớp"),
    "clear": ("Clear filters", "清除筛选", "Xóa bộ lọc"),
    # Problem
    "about": ("About this problem", "关于本题", "Về bài này"),
    "parts": ("Parts of this page", "本页各部分", "Các phần của trang"),
    "statement": ("Statement", "题面", "Đề bài"),
    "code": ("Code", "代码", "Mã"),
    "result": ("Result", "结果", "Kết quả"),
    "editorial": ("Editorial", "题解", "Lời giải"),
    "editorial.locked": (
        "Editorial: opens once solved or given up",
        "题解：解决或放弃后开放",
        "Lời giải: mở khi đã giải hoặc đã bỏ cuộc",
    ),
    "attempts": ("Attempts", "提交", "Lần nộp"),
    "notes": ("Notes", "笔记", "Ghi chú"),
    "time": ("Time, each case", "每个用例时间", "Thời gian mỗi ca"),
    "n.cpu_s": ("{n} s of CPU", "CPU {n} 秒", "{n} giây CPU"),
    "memory": ("Memory", "内存", "Bộ nhớ"),
    "tolerance": ("Tolerance", "容差", "Dung sai"),
    "exact": ("exact", "必须完全相等", "phải bằng đúng"),
    "expected_abs": ("expected", "期望值", "kết quả đúng"),
    "cases": ("Cases", "用例", "Ca kiểm thử"),
    "n.cases_shown": (
        "{n}, of which {shown} shown",
        "{n} 个，其中公开 {shown} 个",
        "{n}, trong đó {shown} ca công khai",
    ),
    "examples": ("Inputs that are shown", "公开的输入", "Dữ liệu vào công khai"),
    "case": ("Case", "用例", "Ca"),
    "input": ("Input", "输入", "Dữ liệu vào"),
    "bans": ("Not allowed", "禁止使用", "Không được dùng"),
    "bans.modules": ("Modules: {names}", "模块：{names}", "Mô-đun: {names}"),
    "bans.calls": (
        "Calls and functions: {names}",
        "调用与函数：{names}",
        "Lời gọi và hàm: {names}",
    ),
    "breakdown": ("How hard is it?", "难在哪里？", "Khó ở đâu?"),
    "b.concept": ("Concept", "概念", "Khái niệm"),
    "b.implementation": ("Implementation", "实现", "Cài đặt"),
    "b.math_derivation": ("Mathematics", "数学推导", "Toán"),
    "b.boundary_complexity": ("Boundaries", "边界情形", "Trường hợp biên"),
    "n.of5": ("{n} of 5", "{n} / 5", "{n} trên 5"),
    "hints": ("Hints", "提示", "Gợi ý"),
    "hint.n": ("Hint {n}", "提示 {n}", "Gợi ý {n}"),
    "hint.show": (
        "Show hint {n} of {total}",
        "显示第 {n} 条提示，共 {total} 条",
        "Xem gợi ý {n} trên {total}",
    ),
    "hint.more": (
        "{n} more after that|{n} more after that",
        "之后还有 {n} 条",
        "Sau đó còn {n} gợi ý",
    ),
    "written_in": (
        "Shown in the original: there is no translation yet.",
        "暂无译文，显示原文。",
        "Chưa có bản dịch, hiển thị bản gốc.",
    ),
    "source": ("Source: {name}", "来源：{name}", "Nguồn: {name}"),
    "solution": ("Your solution", "你的解答", "Bài làm của bạn"),
    "reset": ("Back to the starter code", "恢复起始代码", "Trở về mã khởi đầu"),
    "reset.sure": (
        "Replace your code with the starter code? Undo brings it back.",
        "用起始代码替换当前代码？可以撤销。",
        "Thay mã của bạn bằng mã khởi đầu? Có thể hoàn tác.",
    ),
    "run": ("Run", "运行", "Chạy thử"),
    "submit": ("Submit", "提交", "Nộp bài"),
    "own": ("Own input", "自定义输入", "Dữ liệu riêng"),
    "own.about": (
        "One line for each argument; left empty, Run takes the shown cases.",
        "每个参数一行；留空则“运行”使用公开用例。",
        "Mỗi tham số một dòng; để trống thì “Chạy thử” dùng các ca công khai.",
    ),
    "no_result": (
        "Run tries the shown cases. Submit judges all.",
        "“运行”只测试公开用例，“提交”评测全部用例。",
        "“Chạy thử” dùng các ca công khai. “Nộp bài” chấm mọi ca.",
    ),
    "width": ("Width of the statement", "题面宽度", "Độ rộng đề bài"),
    "no_attempts": ("None yet.", "还没有。", "Chưa có."),
    "all_attempts": ("All attempts", "全部提交", "Tất cả lần nộp"),
    "note.about": (
        "Only you see them. Kept as Markdown in your export.",
        "只有你能看到，导出时保存为 Markdown。",
        "Chỉ bạn thấy. Được lưu dạng Markdown khi xuất.",
    ),
    "save": ("Save", "保存", "Lưu"),
    "given_up": (
        "Given up: the editorial is open.",
        "已放弃：题解已开放。",
        "Đã bỏ cuộc: lời giải đã mở.",
    ),
    "give_up": ("Give up", "放弃", "Bỏ cuộc"),
    "give_up.ask": ("Give up on “{title}”?", "放弃“{title}”？", "Bỏ cuộc với “{title}”?"),
    "give_up.why": (
        "The editorial and the reference solution open for good. You may still solve the problem,"
        " but it is remembered that you had given up.",
        "题解和参考解答将一直开放。你仍然可以解决本题，但会记下你曾经放弃。",
        "Lời giải và mã tham chiếu sẽ mở vĩnh viễn. Bạn vẫn có thể giải bài,"
        " nhưng hệ thống ghi nhớ rằng bạn đã bỏ cuộc.",
    ),
    "give_up.yes": ("Yes, show the editorial", "是的，显示题解", "Đồng ý, xem lời giải"),
    "give_up.no": ("No, back to the problem", "不，返回题目", "Không, quay lại bài"),
    # What the script says
    "js.saved": ("Draft saved", "草稿已保存", "Đã lưu nháp"),
    "js.saving": ("Saving", "正在保存", "Đang lưu"),
    "js.unsaved": (
        "Draft kept in this browser only",
        "草稿仅保存在此浏览器",
        "Bản nháp chỉ lưu trong trình duyệt này",
    ),
    "js.restored": (
        "Draft of this browser restored",
        "已恢复此浏览器中的草稿",
        "Đã khôi phục bản nháp của trình duyệt",
    ),
    "js.clean": ("No findings", "未发现问题", "Không có cảnh báo"),
    "js.place": (
        "Line {line}, column {column}",
        "第 {line} 行，第 {column} 列",
        "Dòng {line}, cột {column}",
    ),
    "js.lost": (
        "Connection lost; judging goes on. Trying again.",
        "连接中断，评测仍在进行，正在重试。",
        "Mất kết nối; việc chấm vẫn tiếp tục. Đang thử lại.",
    ),
    "js.sending": ("Sending", "正在发送", "Đang gửi"),
    "js.failed": (
        "Could not be sent. Your code is kept.",
        "发送失败，你的代码已保留。",
        "Không gửi được. Mã của bạn vẫn được giữ.",
    ),
    "js.judging": (
        "Judging: {done} of {total} cases, {passed} passed, {failed} failed",
        "评测中：{done} / {total} 个用例，通过 {passed}，未通过 {failed}",
        "Đang chấm: {done} trên {total} ca, {passed} đạt, {failed} sai",
    ),
    # The editor's own words, by its own names
    "cm.Find": ("Find", "查找", "Tìm"),
    "cm.Replace": ("Replace", "替换", "Thay thế"),
    "cm.next": ("next", "下一个", "sau"),
    "cm.previous": ("previous", "上一个", "trước"),
    "cm.all": ("all", "全部", "tất cả"),
    "cm.match case": ("match case", "区分大小写", "phân biệt hoa thường"),
    "cm.regexp": ("regexp", "正则", "biểu thức chính quy"),
    "cm.by word": ("by word", "全字", "nguyên từ"),
    "cm.replace": ("replace", "替换", "thay"),
    "cm.replace all": ("replace all", "全部替换", "thay tất cả"),
    "cm.close": ("close", "关闭", "đóng"),
    # Result
    "attempt": ("Attempt", "提交", "Lần nộp"),
    "a_run": ("Run", "运行", "Lần chạy thử"),
    "open_page": ("Open as a page", "在单独页面打开", "Mở thành trang"),
    "n.passed": (
        "{passed} of {total} cases passed",
        "{total} 个用例通过 {passed} 个",
        "{passed} trên {total} ca đạt",
    ),
    "n.waiting": (
        "Next in the queue|{n} before you in the queue",
        "前面还有 {n} 个提交",
        "Còn {n} bài trước bạn",
    ),
    "waiting.first": ("Next in the queue", "下一个就是你", "Sắp đến lượt bạn"),
    "may_close": (
        "You may close this page: the attempt is stored and will be judged.",
        "可以关闭本页：提交已保存，会继续评测。",
        "Bạn có thể đóng trang này: bài nộp đã được lưu và sẽ được chấm.",
    ),
    "cpu": ("CPU", "CPU", "CPU"),
    "cpu.all": ("CPU in all", "CPU 总用时", "Tổng CPU"),
    "wall": ("Until judged", "评测用时", "Thời gian chấm"),
    "slowest": ("Slowest case", "最慢用例", "Ca chậm nhất"),
    "finding": ("Finding", "说明", "Nhận xét"),
    "verdict": ("Verdict", "结果", "Kết quả"),
    "case.n": ("Case {n}: {verdict}", "用例 {n}：{verdict}", "Ca {n}: {verdict}"),
    "hidden": ("hidden", "隐藏", "ẩn"),
    "unjailed": ("judged without isolation", "未隔离评测", "chấm không cách ly"),
    "back": ("Back to code", "返回代码", "Quay lại mã"),
    "diff": ("Changes since the attempt before", "与上次提交的差异", "Khác biệt với lần trước"),
    "next.problem": ("Next problem", "下一题", "Bài tiếp theo"),
    "read_editorial": ("Read the editorial", "阅读题解", "Đọc lời giải"),
    "details": ("Case by case", "逐个用例", "Từng ca"),
    "near_miss": ("Near miss", "差一点", "Suýt đúng"),
    "first_at": (
        "First difference at {place}",
        "首个差异位于 {place}",
        "Khác biệt đầu tiên tại {place}",
    ),
    "max_diff": ("largest difference {n}", "最大差值 {n}", "chênh lệch lớn nhất {n}"),
    "pair": ("Actual and expected", "实际值与期望值", "Thực tế và kết quả đúng"),
    "actual": ("actual", "实际", "thực tế"),
    "expected": ("expected", "期望", "đúng"),
    "returned": ("Returned", "返回值", "Giá trị trả về"),
    "first_wrong": ("first wrong element", "首个错误元素", "phần tử sai đầu tiên"),
    "over": ("over the tolerance", "超出容差", "vượt dung sai"),
    "map": ("Where it differs", "差异分布", "Sai ở đâu"),
    "map.about": (
        "{n} of {total} elements differ; the stronger the colour, the farther off.",
        "{total} 个元素中有 {n} 个不一致，颜色越强差得越多。",
        "{n} trên {total} phần tử khác, màu càng mạnh càng lệch nhiều.",
    ),
    "worst": ("Worst", "误差最大", "Lệch nhiều nhất"),
    "index": ("Index", "下标", "Chỉ số"),
    "printed": ("Printed", "标准输出", "Đã in ra"),
    "errors": ("Printed as errors", "标准错误输出", "Đã in ra luồng lỗi"),
    "module_printed": (
        "Printed while the file was loaded",
        "加载文件时的输出",
        "In ra khi nạp tệp",
    ),
    "drawn": (
        "A drawn case. To see it:",
        "这是随机生成的用例，查看方法：",
        "Ca được sinh ngẫu nhiên. Để xem:",
    ),
    "used": ("Used", "已用", "Đã dùng"),
    "allowed": ("Allowed", "允许", "Cho phép"),
    "used_allowed": ("Used against allowed", "用量与上限", "Đã dùng so với cho phép"),
    "clock": ("Time on the clock", "实际时间", "Thời gian thực"),
    "share": ("Share", "占比", "Tỉ lệ"),
    "violations": ("What the static check found", "静态检查发现", "Kiểm tra tĩnh phát hiện"),
    "line.n": (
        "Line {line}, column {column}",
        "第 {line} 行，第 {column} 列",
        "Dòng {line}, cột {column}",
    ),
    "faster": (
        "Faster than {share} % of accepted ones",
        "快于 {share}% 的通过提交",
        "Nhanh hơn {share}% các bài được chấp nhận",
    ),
    "faster.of": ("of {n}, log scale", "共 {n} 份，对数坐标", "trong {n} bài, thang log"),
    "you": ("this one {time}", "本次 {time}", "bài này {time}"),
    "your_code": ("Code of this attempt", "本次提交的代码", "Mã của lần nộp này"),
    "clipped": (
        "The rest is left out here; the editor has all of it.",
        "此处省略其余部分，编辑器中有全部代码。",
        "Phần còn lại được lược bớt; trình soạn thảo có đủ.",
    ),
    # History, diff, editorial, progress, error
    "when": ("When", "时间", "Thời điểm"),
    "compare": ("Changes", "差异", "Khác biệt"),
    "again": ("Edit again", "继续编辑", "Sửa tiếp"),
    "latest": ("Latest", "最新", "Mới nhất"),
    "older": ("Older", "更早", "Cũ hơn"),
    "empty.history": ("No attempts yet", "还没有提交", "Chưa có lần nộp nào"),
    "to_problems": ("To the problems", "去做题", "Đến danh sách bài"),
    "diff.title": ("What changed", "改动", "Những thay đổi"),
    "complaint": ("This input was not taken", "此输入未被接受", "Dữ liệu này không được nhận"),
    "diff.starter": (
        "Compared with the starter code: this is the first attempt.",
        "与起始代码比较：这是第一次提交。",
        "So với mã khởi đầu: đây là lần nộp đầu tiên.",
    ),
    "diff.same": ("Nothing changed.", "没有改动。", "Không có gì thay đổi."),
    "diff.long": ("Too long to compare.", "内容过长，无法比较。", "Quá dài để so sánh."),
    "diff.old": ("Old line", "旧行号", "Dòng cũ"),
    "diff.new": ("New line", "新行号", "Dòng mới"),
    "added": ("added", "新增", "thêm"),
    "removed": ("removed", "删除", "xóa"),
    "reference": ("Reference solution", "参考解答", "Mã tham chiếu"),
    "no_editorial": (
        "There is no editorial for this problem.",
        "本题没有题解。",
        "Bài này không có lời giải.",
    ),
    "export": ("Export all as zip", "全部导出为 zip", "Xuất tất cả thành zip"),
    "year": ("The year", "这一年", "Một năm qua"),
    "none": ("none", "无", "không"),
    "five": ("5 or more", "5 次以上", "từ 5 trở lên"),
    "as_table": ("As a table, month by month", "按月列表", "Dạng bảng, theo tháng"),
    "month": ("Month", "月份", "Tháng"),
    "submissions": ("Submissions", "提交次数", "Số lần nộp"),
    "active": ("Active days", "活跃天数", "Ngày hoạt động"),
    "e.400": ("That could not be understood", "请求无法理解", "Yêu cầu không hợp lệ"),
    "e.403": ("Not open yet", "尚未开放", "Chưa được mở"),
    "e.404": ("There is no such page", "没有这个页面", "Không có trang này"),
    "e.413": ("That is too long", "内容过长", "Nội dung quá dài"),
    "e.500": ("Something went wrong on our side", "我们这边出了问题", "Đã có lỗi ở phía hệ thống"),
}

WORDS: Final[dict[str, dict[Language, str]]] = {
    key: dict(zip(_COLUMNS, row, strict=True)) for key, row in _ROWS.items()
}


def word(key: str, language: Language, **given: Any) -> str:
    """Return the words of a key in a language, filled in.

    Raises:
        KeyError: there is no such key, or a value to fill in is missing.

    Example:
        >>> word("n.days", "en", n=1)
        '1 day'
    """
    text = WORDS[key][language]
    if "|" in text:
        one, _, many = text.partition("|")
        text = one if given.get("n") == 1 else many
    return text.format(**given) if given else text


def words_of(prefix: str, language: Language) -> dict[str, str]:
    """Return all words under a prefix, by what follows it: for the scripts."""
    return {
        key.removeprefix(prefix): texts[language]
        for key, texts in WORDS.items()
        if key.startswith(prefix)
    }
