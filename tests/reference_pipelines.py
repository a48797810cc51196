"""Slow, plain twins of the pipeline figures; they share no code with demur's own."""

from itertools import permutations

MISSING = object()


def target_states(modules, turns):
    """The states of all modules before each turn, if all goes as it should."""
    states = {name: None for name, *_ in modules}
    found = []
    for turn in turns:
        found.append(dict(states))
        values = {"input": turn["input"]}
        for name, step, observe, inputs in modules:
            given = gathered(values, inputs)
            if name in turn["target"]:
                values[name] = turn["target"][name]
                if observe:
                    states[name] = observe(states[name], given, values[name])
            else:
                values[name], after = step(states[name], given)
                states[name] = after if observe else None
    return found


def gathered(values, inputs):
    if len(inputs) == 1:
        return values[inputs[0]]
    return {name: values[name] for name in inputs}


def said(turn, source, name):
    outputs = (
        turn["target"] if source == "target" else turn["annotations"].get(source, {})
    )
    return outputs.get(name, MISSING)


def run_turn(modules, states, turn, given):
    """What all modules hand on, and the states after; None if a source is missing."""
    values, after, counted = {"input": turn["input"]}, {}, True
    for name, step, observe, inputs in modules:
        got = gathered(values, inputs)
        value = said(turn, given[name], name) if name in given else MISSING
        if value is not MISSING:
            values[name] = value
            after[name] = observe(states[name], got, value) if observe else None
            continue
        counted = counted and name not in given
        values[name], later = step(states[name], got)
        after[name] = later if observe else None
    return (values if counted else None), after


def run(modules, dialogues, given, state):
    """The values of all turns of all dialogues."""
    found = []
    for turns in dialogues:
        starts = target_states(modules, turns)
        states = {name: None for name, *_ in modules}
        for number, turn in enumerate(turns):
            before = starts[number] if state == "corrected" else states
            values, states = run_turn(modules, before, turn, given)
            found.append(values)
    return found


def act_rates(values, dialogues, name):
    """Strict and multiple recall, precision and equal sets, by counting acts."""
    turns = [turn for each in dialogues for turn in each]
    sums = {key: [0.0, 0.0] for key in ("recall", "precision", "exact")}
    multiple = {key: [0.0, 0.0] for key in ("recall", "precision", "exact")}
    for each, turn in zip(values, turns, strict=True):
        if each is None or turn["target"].get(name, []) == []:
            continue
        out, target = set(each[name] or ()), set(turn["target"][name] or ())
        if not target:  # there is no answer: to decline is the one act that is right
            out, target = out or {None}, {None}
        sets = [target, *(set(other) for other in turn["acceptable"].get(name, ()))]
        sums["recall"][0] += len(out & target)
        sums["recall"][1] += len(target)
        sums["precision"][0] += len(out & target)
        sums["precision"][1] += len(out)
        sums["exact"][0] += out == target
        sums["exact"][1] += 1
        best = [len(out & own) / len(own) if own else float(not out) for own in sets]
        multiple["recall"][0] += max(best) * len(target)
        multiple["recall"][1] += len(target)
        multiple["precision"][0] += max(len(out & own) for own in sets)
        multiple["precision"][1] += len(out)
        multiple["exact"][0] += out in sets
        multiple["exact"][1] += 1
    return {
        kind: {k: (a / b if b else None) for k, (a, b) in own.items()}
        for kind, own in (("strict", sums), ("multiple", multiple))
    }


def shapley(players, value):
    """The mean of what each adds, over all orders."""
    totals = dict.fromkeys(players, 0.0)
    orders = list(permutations(players))
    for order in orders:
        so_far = frozenset()
        for player in order:
            totals[player] += value(so_far | {player}) - value(so_far)
            so_far |= {player}
    return {player: total / len(orders) for player, total in totals.items()}
