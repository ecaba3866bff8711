"""The King's suspicions in playouts: the probabilities of Thieves and Usurpers by all claims.

A hidden Markov model, as in the sleuth bot, with fewer states: the diamonds still to be stolen, and the number of cards
that are gone. Both ends are known: the King knows the box that he passed on and the box that came back. It only
computes sums, products and quotients, which are identical to the last digit on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from ftk_core.games.kings_court.box_contents import DIAMONDS, MAX_SEATS, USURPER
from ftk_core.games.kings_court.facts import ClaimMade
from ftk_core.games.kings_court.player_claims import PocketContents
from ftk_core.games.kings_court.suspicions.usurper_chances import DISMISSED, SeatChances, usurper_chances
from ftk_core.games.kings_court.table_state import TableState

HONEST = 0.85
"""Probability that a seat without diamonds tells the truth. Else its claims are random."""
BLAMES_NEXT, BLAMES_PREVIOUS, CONFESSES = 0.35, 0.3, 0.1
"""Probabilities of a Thief's stories: the next seat stole, the seat before did, or the truth. Else they are random."""
RANDOM_THIEF, RANDOM_OTHER = 1 - BLAMES_NEXT - BLAMES_PREVIOUS - CONFESSES, 1 - HONEST
ANY_AMOUNT, JUST_OVER_HALF = 0.7, 0.6
"""Weights of thefts, compared with 1 for a card: of any number of diamonds together, and of just over half."""
FIRST_THIEF, LATER_THIEF = 2.0, 1.0
"""Factors of these weights: if no earlier seat can have stolen more, and else."""
USURPER_FEAR = 0.6
"""Weight of the risk of accusing a Usurper, against the chance of catching a Thief."""
LEVELS, CARD_LEVELS = DIAMONDS + 1, MAX_SEATS - 2
Row = list[float]
"""Values by the number of cards that are gone."""
Layer = list[Row]
"""Values by the diamonds that are still to be stolen, and by the number of cards that are gone."""


def is_first_thief(diamonds: int) -> bool:
    """Return whether no earlier seat can have stolen more than just over half of these diamonds."""
    return DIAMONDS - diamonds <= diamonds // 2 + 1


def _theft_weights(diamonds: int) -> Row:
    """Return the weights of thefts from a box by the diamonds stolen; item 0 is that of all together."""
    if not diamonds:
        return [0.0]
    boldness = FIRST_THIEF if is_first_thief(diamonds) else LATER_THIEF
    weights = [boldness * ANY_AMOUNT / diamonds for _ in range(diamonds + 1)]
    weights[0] = boldness * (ANY_AMOUNT + JUST_OVER_HALF)
    weights[diamonds // 2 + 1] += boldness * JUST_OVER_HALF
    return weights


THEFT_WEIGHTS = [_theft_weights(diamonds) for diamonds in range(LEVELS)]
"""By diamonds in the box: the weight of all thefts, then of each number of stolen diamonds."""


@dataclass(slots=True)
class SeatClaims:
    """Last claims of a seat."""

    received: int | None = None
    passed: int | None = None
    gone: int | None = None
    """Number of cards that were gone from the box that came."""
    usurpers: int | None = None
    """Number of Usurpers in the box that came."""


def _fits(claim: int | None, truth: int) -> bool:
    return claim is None or claim == truth


class _SeatModel:
    """Likelihood of a seat's claims for everything that it can have taken."""

    def __init__(self, claims: SeatClaims, gone: int) -> None:
        self.claims, noise = claims, 1.0
        for claim, choices in ((claims.received, LEVELS), (claims.passed, LEVELS), (claims.gone, CARD_LEVELS)):
            noise = noise if claim is None else noise / choices
        self.noise = noise
        self.came = [float(_fits(claims.gone, cards)) for cards in range(gone + 1)]
        self.went = [float(_fits(claims.gone, max(0, cards - 1))) for cards in range(gone + 1)]

    def thief(self, diamonds: int) -> Row:
        """Return the likelihoods of a Thief's claims about this box by cards, without `stories`."""
        return self._mix(RANDOM_THIEF, BLAMES_NEXT, diamonds)

    def other(self, diamonds: int) -> Row:
        """Return the likelihoods of another seat's claims about this box, by cards."""
        return self._mix(RANDOM_OTHER, HONEST, diamonds)

    def _mix(self, random: float, story: float, diamonds: int) -> Row:
        if not (_fits(self.claims.received, diamonds) and _fits(self.claims.passed, diamonds)):
            story = 0.0
        return [random * self.noise + story * came for came in self.came]

    def stories(self, diamonds: int, rest: int) -> Row | None:
        """Return the likelihoods of a Thief's claims that depend on the diamonds left; None if all are 0."""
        if not _fits(self.claims.passed, rest):
            return None
        confesses = CONFESSES if _fits(self.claims.received, diamonds) else 0.0
        blames = BLAMES_PREVIOUS if _fits(self.claims.received, rest) else 0.0
        if confesses + blames == 0:
            return None
        return [confesses * came + blames * went for came, went in zip(self.came, self.went, strict=True)]


class Suspicions:
    """Probability of being a Thief and of being a Usurper, by seat, as the King sees it."""

    def __init__(self, table: TableState) -> None:
        """Compute all probabilities. The box must be back with the King, who knows what came back and what he kept."""
        back = table.arrivals[0]
        assert back is not None
        self.table, self.last = table, table.seats - 1
        self.left, self.missing = back.diamonds, DIAMONDS - (table.hidden or 0) - back.diamonds
        self.gone, self.fake_gone = len(table.cards) - len(back.cards), table.fake and not back.fake
        self.claims = [SeatClaims() for _ in range(table.seats)]
        for utterance in table.said:
            if isinstance(utterance, ClaimMade):
                self._hear(utterance)
        self.thief, self.card, self.usurper = ([0.0] * table.seats for _ in range(3))
        self._look_back(self._look_ahead())
        self._find_usurpers(table.cards.count(USURPER), back.cards.count(USURPER))

    def worth(self, seat: int) -> float:
        """Return how much it is worth to accuse a seat."""
        return self.thief[seat] - USURPER_FEAR * self.usurper[seat]

    def _hear(self, said: ClaimMade) -> None:
        claims, claim = self.claims[said.seat], said.claim
        match claim.topic:
            case "received_diamonds":
                claims.received = claim.number
            case "passed_diamonds":
                claims.passed = claim.number
            case "received_cards":
                cards = claim.cards or ()
                claims.gone, claims.usurpers = len(self.table.cards) - len(cards), cards.count(USURPER)

    def _new_layer(self) -> Layer:
        return [[0.0] * (self.gone + 1) for _ in range(self.missing + 1)]

    def _known_take(self, seat: int) -> tuple[int, int] | None:
        """Return the diamonds and cards that a seat is known to have taken; None if that is not known."""
        take = self.table.takes[seat] or PocketContents()
        is_known = self.table.revealed[seat] or self.table.takes[seat] is None
        return (take.diamonds, int(take.card is not None)) if is_known else None

    def _may_take_nothing(self, seat: int, diamonds: int, cards: int) -> bool:
        is_empty = diamonds == 0 and cards == len(self.table.cards)
        return self.fake_gone or seat == self.last or is_empty

    def _weight_of_all(self, seat: int, diamonds: int, cards: int) -> float:
        """Return the sum of the weights of all that a seat can do, by which each is divided."""
        card, nothing = cards < len(self.table.cards), self._may_take_nothing(seat, diamonds, cards)
        return THEFT_WEIGHTS[diamonds][0] + float(card) + float(nothing)

    def _look_ahead(self) -> list[Layer]:
        """Return by seat the weights of the states before it, by what happened earlier."""
        layers = [self._new_layer() for _ in range(self.table.seats + 1)]
        layers[1][self.missing][0] = 1.0
        if self.gone:
            layers[1][self.missing][1] = DISMISSED
        for seat in range(1, self.table.seats):
            here, after = layers[seat], layers[seat + 1]
            known = self._known_take(seat)
            if known is None:
                self._pass_on(seat, here, after)
            else:
                for rest, cards in product(range(self.missing - known[0] + 1), range(known[1], self.gone + 1)):
                    after[rest][cards] = here[rest + known[0]][cards - known[1]]
        return layers

    def _pass_on(self, seat: int, here: Layer, after: Layer) -> None:
        model, numbers = _SeatModel(self.claims[seat], self.gone), range(self.gone + 1)
        for more in range(self.missing + 1):
            diamonds = self.left + more
            row = here[more] = [here[more][cards] / self._weight_of_all(seat, diamonds, cards) for cards in numbers]
            thefts = [weight * likelihood for weight, likelihood in zip(row, model.thief(diamonds), strict=True)]
            for cards, likelihood in enumerate(model.other(diamonds)):
                if self._may_take_nothing(seat, diamonds, cards):
                    after[more][cards] += row[cards] * likelihood
                if cards < self.gone and not self.table.fake_shown[seat]:
                    after[more][cards + 1] += row[cards] * likelihood
            for rest in range(more):
                weight, stories = THEFT_WEIGHTS[diamonds][more - rest], model.stories(diamonds, self.left + rest)
                for cards in numbers:
                    after[rest][cards] += weight * thefts[cards]
                    if stories:
                        after[rest][cards] += weight * stories[cards] * row[cards]

    def _look_back(self, layers: list[Layer]) -> None:
        """Compute the probabilities of thefts and of cards by what happened before and after each seat."""
        after = self._new_layer()
        after[0][self.gone] = 1.0
        for seat in range(self.last, 0, -1):
            known = self._known_take(seat)
            if known is None:
                after = self._weigh_roles(seat, layers[seat], after)
                continue
            before = self._new_layer()
            for rest, cards in product(range(self.missing - known[0] + 1), range(known[1], self.gone + 1)):
                before[rest + known[0]][cards - known[1]] = after[rest][cards]
            self.thief[seat], after = float(known[0] > 0), before

    def _weigh_roles(self, seat: int, here: Layer, after: Layer) -> Layer:
        """Store a seat's probabilities; return the weights of the states before it, by what happened later."""
        model, before = _SeatModel(self.claims[seat], self.gone), self._new_layer()
        total = thefts = cards_taken = 0.0
        for more in range(self.missing + 1):
            diamonds = self.left + more
            theft_weights, other = self._weigh_thefts(model, more, after), model.other(diamonds)
            for cards, theft in enumerate(theft_weights):
                card = nothing = 0.0
                if self._may_take_nothing(seat, diamonds, cards):
                    nothing = other[cards] * after[more][cards]
                if cards < self.gone and not self.table.fake_shown[seat]:
                    card = other[cards] * after[more][cards + 1]
                sum_of_all = theft + card + nothing
                before[more][cards] = sum_of_all / self._weight_of_all(seat, diamonds, cards)
                total += here[more][cards] * sum_of_all
                thefts += here[more][cards] * theft
                cards_taken += here[more][cards] * card
        if total > 0:
            self.thief[seat], self.card[seat] = thefts / total, cards_taken / total
        return before

    def _weigh_thefts(self, model: _SeatModel, more: int, after: Layer) -> Row:
        """Return by cards the weights of all thefts from a state."""
        diamonds, numbers = self.left + more, range(self.gone + 1)
        sums, story_sums = [0.0] * (self.gone + 1), [0.0] * (self.gone + 1)
        for rest in range(more):
            weight, stories = THEFT_WEIGHTS[diamonds][more - rest], model.stories(diamonds, self.left + rest)
            for cards in numbers:
                sums[cards] += weight * after[rest][cards]
                if stories:
                    story_sums[cards] += weight * stories[cards] * after[rest][cards]
        thief = model.thief(diamonds)
        return [sums[cards] * thief[cards] + story_sums[cards] for cards in numbers]

    def _find_usurpers(self, most: int, left: int) -> None:
        """Compute the probabilities of Usurpers, if any are missing from the box."""
        if left >= most:
            return
        share = (most - left) / self.gone
        seats = zip(self.claims, self.thief, self.card, strict=True)
        chances = [SeatChances(claims.usurpers, thief, card * share) for claims, thief, card in seats]
        self.usurper[1:] = usurper_chances(chances[1:], most, left)
