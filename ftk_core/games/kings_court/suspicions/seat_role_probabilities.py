"""Probabilities of each player's role from all claims, by a hidden Markov model."""
# The model has one step for each player who had the box. A state is a pair: diamonds still to be stolen, and cards
# missing from the box. The King knows the first and the last state. Only sums, products and quotients are computed,
# which have the same digits on every machine.

from __future__ import annotations

from itertools import product

from ftk_core.games.kings_court.facts import ClaimMade
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox
from ftk_core.games.kings_court.roles_and_options import DIAMONDS, USURPER
from ftk_core.games.kings_court.suspicions.speaker_claim_likelihoods import (
    ANY_THEFT,
    HALF_THEFT,
    Row,
    SpeakerClaimLikelihoods,
    SpeakerClaims,
    add,
    add_up,
    left_of,
    multiply,
    scale,
)
from ftk_core.games.kings_court.suspicions.usurper_probabilities import DISMISSED, UsurperEvidence, usurper_chances
from ftk_core.games.kings_court.table_state import TableState

USURPER_FEAR = 0.6
"""Weight of the risk of accusing a Usurper, against the chance of catching a Thief."""
Layer = list[Row]
"""Values by [number of diamonds still to be stolen][number of cards missing from the box]."""


class SeatRoleProbabilities:
    """Probabilities by seat of being a Thief or a Usurper, from the King's knowledge."""

    def __init__(self, table: TableState) -> None:
        """Compute all probabilities. The box must be back with the King."""
        back = table.arrivals[0]
        assert back is not None
        self.table, self.last = table, table.seats - 1
        self.left, self.missing = back.diamonds, DIAMONDS - (table.hidden or 0) - back.diamonds
        self.gone, self.fake_gone = len(table.cards) - len(back.cards), table.fake and not back.fake
        self.claims = [SpeakerClaims() for _ in range(table.seats)]
        for utterance in table.said:
            if isinstance(utterance, ClaimMade):
                self._record_claim(utterance)
        self.thief, self.card, self.usurper = ([0.0] * table.seats for _ in range(3))
        self._look_back(self._look_ahead())
        self._find_usurpers(table.cards.count(USURPER), back.cards.count(USURPER))

    def worth(self, seat: int) -> float:
        """Return a score for accusing a player: P(Thief) minus `USURPER_FEAR` times P(Usurper)."""
        # A Usurper who is accused wins at once.
        return self.thief[seat] - USURPER_FEAR * self.usurper[seat]

    def _record_claim(self, said: ClaimMade) -> None:
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
        """Return the numbers of diamonds and cards that a player took, or None if unknown."""
        take = self.table.takes[seat] or ItemsTakenFromBox()
        is_known = self.table.revealed[seat] or self.table.takes[seat] is None
        return (take.diamonds, int(take.card is not None)) if is_known else None

    def _may_refuse(self, seat: int) -> bool:
        return self.fake_gone or seat == self.last

    def _nothing_taken(self, seat: int, diamonds: int) -> Row:
        """Return 1.0 where the player can have taken nothing, else 0.0, by number of cards missing from the box."""
        # Only the last player, or one with an empty box, can take nothing. To take only the fake diamond also counts as
        # nothing. So if the fake diamond did not come back, any player can have taken nothing.
        is_empty = diamonds == 0 and self.gone == len(self.table.cards)
        return [float(self._may_refuse(seat))] * self.gone + [float(self._may_refuse(seat) or is_empty)]

    def _scaled(self, seat: int, diamonds: int, row: Row) -> Row:
        """Divide each weight in `row` by the total prior weight of the player's choices at the box."""
        # `diamonds` is the number in the box. The index in `row` is the number of missing cards. If all cards are
        # missing, the player can take none, and the total is smaller.
        nothing, total = self._may_refuse(seat), len(self.table.cards)
        scaled = [weight * scale(diamonds, card=True, nothing=nothing) for weight in row[:total]]
        return scaled + [
            weight * scale(diamonds, card=False, nothing=nothing or not diamonds) for weight in row[total:]
        ]

    def _look_ahead(self) -> list[Layer]:
        """Run the forward pass of the hidden Markov model."""
        # Item n holds the weights of the possible boxes that seat n received, from earlier claims and from revealed
        # thefts. The last item holds those after the last seat.
        layers = [self._new_layer() for _ in range(self.table.seats + 1)]
        layers[1][self.missing][0] = 1.0
        if self.gone:
            layers[1][self.missing][1] = DISMISSED
        for seat in range(1, self.table.seats):
            here, after = layers[seat], layers[seat + 1]
            known = self._known_take(seat)
            if known is None:
                self._advance_layer(seat, here, after)
            else:
                for rest, cards in product(range(self.missing - known[0] + 1), range(known[1], self.gone + 1)):
                    after[rest][cards] = here[rest + known[0]][cards - known[1]]
        return layers

    def _advance_layer(self, seat: int, here: Layer, after: Layer) -> None:
        model, thefts_of_any = SpeakerClaimLikelihoods(self.claims[seat], self.gone), [0.0] * (self.gone + 1)
        for more in range(self.missing, -1, -1):
            diamonds = self.left + more
            add(after[more], 1.0, thefts_of_any)
            if not any(here[more]):
                continue
            row = here[more] = self._scaled(seat, diamonds, here[more])
            thefts, others = multiply(row, model.thief(diamonds)), multiply(row, model.other(diamonds))
            add(after[more], 1.0, multiply(others, self._nothing_taken(seat, diamonds)))
            if not self.table.fake_shown[seat]:
                add(after[more], 1.0, [0.0, *others[:-1]])
            if more:
                add(thefts_of_any, ANY_THEFT[diamonds], thefts)
                if (half := left_of(diamonds) - self.left) >= 0:
                    add(after[half], HALF_THEFT[diamonds], thefts)
                for rest, likelihoods in model.stories(diamonds, self.left):
                    add(after[rest - self.left], 1.0, multiply(likelihoods, row))

    def _look_back(self, layers: list[Layer]) -> None:
        """Run the backward pass of the model, and store the probabilities of each player's theft."""
        # `layers` is the result of the forward pass. Both passes together use the claims of all players.
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
        """Store the probabilities that one player took diamonds or a card."""
        # `here` holds the weights of the forward pass before this turn, `after` those of the backward pass after it.
        # Returns the backward weights before this turn.
        model, before = SpeakerClaimLikelihoods(self.claims[seat], self.gone), self._new_layer()
        all_sums, theft_sums, card_sums, after_any = ([0.0] * (self.gone + 1) for _ in range(4))
        for more, row in enumerate(here):
            diamonds = self.left + more
            if more:
                add(after_any, 1.0, after[more - 1])
            if not any(row):
                continue
            theft, other = self._weigh_thefts(model, more, after, after_any), model.other(diamonds)
            card = multiply(other, [0.0 if self.table.fake_shown[seat] else later for later in (*after[more][1:], 0.0)])
            total = list(theft)
            add(total, 1.0, card)
            add(total, 1.0, multiply(multiply(other, after[more]), self._nothing_taken(seat, diamonds)))
            for sums, weights in ((all_sums, total), (theft_sums, theft), (card_sums, card)):
                add(sums, 1.0, multiply(row, weights))
            before[more] = self._scaled(seat, diamonds, total)
        if (total_sum := add_up(all_sums)) > 0:
            self.thief[seat], self.card[seat] = add_up(theft_sums) / total_sum, add_up(card_sums) / total_sum
        return before

    def _weigh_thefts(self, model: SpeakerClaimLikelihoods, more: int, after: Layer, after_any: Row) -> Row:
        """Return the total weight of the player's possible diamond thefts, by number of cards missing from the box."""
        # `more` is the number of diamonds that this player and the later ones steal together. `after` holds the
        # backward weights after this turn, and `after_any` their sum over all numbers of diamonds that the player can
        # steal.
        diamonds, sums, story_sums = self.left + more, [0.0] * (self.gone + 1), [0.0] * (self.gone + 1)
        if more:
            add(sums, ANY_THEFT[diamonds], after_any)
            if (half := left_of(diamonds) - self.left) >= 0:
                add(sums, HALF_THEFT[diamonds], after[half])
            for rest, likelihoods in model.stories(diamonds, self.left):
                add(story_sums, 1.0, multiply(likelihoods, after[rest - self.left]))
        sums = multiply(sums, model.thief(diamonds))
        add(sums, 1.0, story_sums)
        return sums

    def _find_usurpers(self, most: int, left: int) -> None:
        """Compute and store each player's probability of having taken a Usurper card."""
        # The box held `most` Usurpers at first, and `left` when it came back.
        if left >= most:
            return
        share = (most - left) / self.gone
        seats = zip(self.claims, self.thief, self.card, strict=True)
        chances = [UsurperEvidence(claims.usurpers, thief, card * share) for claims, thief, card in seats]
        self.usurper[1:] = usurper_chances(chances[1:], most, left)
