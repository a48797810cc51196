"""Who wants the hidden verdicts: orders confidences anew each time, and solves.

The attacker knows the rule of the board in full, and of the verdicts of its answers
only the numbers that the board shows.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

import demur
from demur.campaigns.board_figures import BoardMeasure, shown_figures

Array = npt.NDArray[np.float64]


class Attacker:
    """One who sends the same answers with other confidences, and reads the board.

    Parameters
    ----------
    wrong : array of bool, shape (n_items,)
        Which answers are wrong: what it wants to find out.
    rates : sequence of float
        At which the board shows errors.
    digits : int
        Of these.
    seed : int
    """

    def __init__(
        self,
        wrong: npt.NDArray[np.bool_],
        rates: Sequence[float],
        digits: int,
        seed: int,
    ) -> None:
        self._wrong, self.rates, self.digits = wrong, rates, digits
        self._measures = [BoardMeasure(f"error@{rate:g}") for rate in rates]
        self._rng = np.random.default_rng(seed)
        self.items = len(wrong)
        # Halves go upwards: of 2 counts with one number the lower is as likely.
        step = self.items * 10.0**-digits
        self._up = 0.5 if step > 1 and step % 2 == 0 else 0.0
        self.rows: list[Array] = []
        self.told: list[float] = []

    def submit(self, nonsense: int = 0) -> None:
        """Send all answers in a random order, some of them as nonsense.

        Nonsense is wrong for certain, and moves the number to where rounding turns.
        """
        order = self._rng.permutation(self.items)
        confidence = np.empty(self.items)
        confidence[order] = np.arange(self.items)
        spoilt = np.zeros(self.items, bool)
        spoilt[order[self.items - nonsense :]] = True
        outcomes = demur.Outcomes.from_arrays(
            correct=~(self._wrong | spoilt), confidence=confidence
        )
        shown = shown_figures(outcomes, self._measures, self.digits)
        for rate, figure in zip(self.rates, shown, strict=True):
            assert figure is not None
            # Of all items those with the highest confidences, one perhaps in part.
            answered = np.clip(confidence + 1 - rate * self.items, 0, 1)
            self.rows.append(np.where(spoilt, 0.0, answered))
            self.told.append(figure * self.items - self._up - float(answered @ spoilt))

    def by_least_squares(self) -> npt.NDArray[np.bool_]:
        """Which answers are wrong, by the likeliest normal verdicts."""
        return self._estimate() > 0.5

    def _estimate(self) -> Array:
        rows, told = np.array(self.rows), np.array(self.told)
        step = self.items * 10.0**-self.digits
        noise = step**2 / 12 if step > 1 else 1e-9
        within = rows @ rows.T / 4 + noise * np.eye(len(rows))
        apart = told - rows.sum(axis=1) / 2
        estimate: Array = 0.5 + rows.T @ np.linalg.solve(within, apart) / 4
        return estimate

    def by_whole_numbers(self, rounds: int = 20) -> npt.NDArray[np.bool_]:
        """The same, then turned one by one while the numbers fit better."""
        rows, told = np.array(self.rows), np.array(self.told)
        wrong = self.by_least_squares()
        left = told - rows @ wrong
        size = np.square(rows).sum(axis=0)
        for _ in range(rounds * self.items):
            turn = np.where(wrong, -1.0, 1.0)
            gain = 2 * turn * (rows.T @ left) - size
            best = int(np.argmax(gain))
            if gain[best] <= 1e-9:
                break
            left -= turn[best] * rows[:, best]
            wrong[best] = not wrong[best]
        return wrong

    def gain(self, guess: npt.NDArray[np.bool_]) -> float:
        """Items guessed right, beyond who guesses the commoner verdict; as a share."""
        share = float(self._wrong.mean())
        return float((guess == self._wrong).mean()) - max(share, 1 - share)

    def recovered(self, guess: npt.NDArray[np.bool_]) -> float:
        """Share of items guessed right."""
        return float((guess == self._wrong).mean())
