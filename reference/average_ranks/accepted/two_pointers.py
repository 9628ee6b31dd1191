def average_ranks(x):
    x = list(x)
    order = sorted(range(len(x)), key=lambda i: x[i])
    ranks = [0.0] * len(x)
    start = 0
    while start < len(order):
        stop = start
        while stop < len(order) and x[order[stop]] == x[order[start]]:
            stop += 1
        for i in order[start:stop]:
            ranks[i] = (start + 1 + stop) / 2
        start = stop
    return ranks
