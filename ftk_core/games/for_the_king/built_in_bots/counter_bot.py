"""Bot that values a card by how close the contest for its office is, and bids accordingly.

An office is a group of cards that gives points to the two strongest hands at the end. A card adds most points in an
office where the contest is close.
"""

from ftk_core.kit.bot import Ask, run

HIGH = ("diplomacy", "entertainment")


class CardEvaluator:
    """Estimates of what each card is worth to the player who must act."""

    def __init__(self, ask: Ask) -> None:
        self.view, self.me = ask.view, ask.seat
        self.hand = self.view["hands"][self.me]
        self.duties = {duty["office"]: duty for duty in self.view["duties"]}
        self.mine = self.strengths(self.hand)
        others = [seat for seat in range(self.view["seats"]) if seat != self.me]
        self.rivals = {seat: self.guess(seat) for seat in others}
        self.gold = sum(value_of(card) for card in self.hand if card.startswith("GOLD"))

    def strengths(self, cards: list[str]) -> dict[str, float]:
        """Return the sum of these cards' values for each office."""
        sums = dict.fromkeys(self.duties, 0.0)
        for card in cards:
            office = office_of(card)
            if office in sums:
                sums[office] += value_of(card)
        return sums

    def guess(self, seat: int) -> dict[str, float]:
        """Estimate the sum of an opponent's card values for each office."""
        # An unseen card adds a small average value to each office.
        known = self.strengths(self.view["known"][seat])
        unseen = max(0, self.view["hand_sizes"][seat] - len(self.view["known"][seat]))
        for office in known:
            known[office] += unseen * (0.30 if office in HIGH else 0.13)
        return known

    def prospect(self, office: str, strength: float) -> float:
        """Estimate the points that the player gets from an office (group of cards) at the end of the game."""
        # `strength` is the sum of the player's card values in the office. The first and the second place give points.
        duty = self.duties[office]
        ahead = 1.0
        beaten_but_one = 0.0
        for rival in self.rivals.values():
            lead = (strength - rival[office]) / (1.2 if office in HIGH else 0.8)
            win = 1 / (1 + 2.718 ** (-1.6 * lead))
            beaten_but_one = beaten_but_one * win + ahead * (1 - win)
            ahead *= win
        if strength <= 0:
            return 0.0
        return ahead * float(duty["primary"]) + beaten_but_one * float(duty["secondary"])

    def gain(self, card: str) -> float:
        """Estimate the points that the player gains by taking a card."""
        if card.startswith("GOLD"):
            return 0.22 * value_of(card)
        office = office_of(card)
        if office not in self.duties:
            return 0.4
        mine = self.mine[office]
        return self.prospect(office, mine + value_of(card)) - self.prospect(office, mine)

    def gift(self, card: str) -> float:
        """Return the approximate value of a card to an opponent, in points."""
        # Ignores the opponents' hands, so it is the same for all of them.
        if card.startswith("GOLD"):
            return 0.22 * value_of(card)
        return 0.25 * value_of(card) if office_of(card) in self.duties else 0.4

    def loss(self, card: str) -> float:
        """Estimate the points that the player loses by giving up a card."""
        if card.startswith("GOLD"):
            return 0.22 * value_of(card)
        office = office_of(card)
        if office not in self.duties:
            return 0.0
        mine = self.mine[office]
        return self.prospect(office, mine) - self.prospect(office, mine - value_of(card))

    def worth(self, lot: str) -> float:
        """Return the value of winning a card that is being auctioned, in points."""
        # Buying a card also keeps it from the opponents, which is worth a little.
        if lot.startswith("KING"):
            return 0.7
        return self.gain(lot) + 0.1 * self.gift(lot)

    def decree(self, action: dict[str, list[str]]) -> float:
        """Return a score for a King card's effect, which changes offices' points. Higher is better for the player."""
        # Good decrees raise offices in which the player leads, and lower those in which an opponent leads.
        total = 0.0
        for sign, offices in ((1, action["up"]), (-1, action["down"])):
            for office in offices:
                mine = self.mine[office]
                best = max(rival[office] for rival in self.rivals.values())
                total += sign * (mine - best)
        return total


def office_of(card: str) -> str:
    """Return the office of a government card, or "" for other cards."""
    kind, name, _ = card.split("-")
    return name.lower() if kind == "GOV" else ""


def value_of(card: str) -> int:
    """Return the number on a card; 0 for a King."""
    kind, name, suffix = card.split("-")
    if kind == "GOLD":
        return int(name)
    if kind == "KING":
        return 0
    if name.lower() in HIGH:
        return 2 if suffix <= "D" else 3 if suffix <= "G" else 4
    return 1 if suffix <= "G" else 2


def place(mind: CardEvaluator, menu: list[dict[str, str]]) -> int:
    """Choose where to put the drawn card, and return the menu index."""
    # An opponent takes the card in the middle. Cards of the Favor deck are auctioned later.
    card = mind.view["drawn"]
    gain, gift = mind.gain(card), mind.gift(card)
    left = len(menu) + (mind.view["seats"] - 2 if "middle" in {a["area"] for a in menu} else 0)
    score = {
        "self": gain - 0.62 * max(0.25, left / (mind.view["seats"] + 1)),
        "middle": -0.5 * gift + 0.05,
        "favor": 0.25 * gain - 0.15 * gift,
    }
    return max(range(len(menu)), key=lambda index: score[menu[index]["area"]])


def bid(mind: CardEvaluator) -> int:
    """Return 1 to raise the bid by one, or 0 to pass."""
    # Gold cards are paid with any cards of the hand, one for each 1 of the bid. Other cards are paid with gold. Shortly
    # before the last auction, gold buys little.
    lot, amount = mind.view["lot"], mind.view["bid"] + 1
    left = max(1, mind.view["favor"] + 1)
    if lot.startswith("GOLD"):
        useless = sorted(mind.loss(card) for card in mind.hand)
        if amount > len(mind.hand) or mind.view["favor"] < 2:
            return 0
        return 1 if sum(useless[:amount]) < mind.gain(lot) else 0
    price = min(0.22, mind.gold and 0.9 * 3 / (mind.gold + 3 * left / 4))
    return 1 if amount <= mind.gold and mind.worth(lot) > amount * price else 0


def choose(ask: Ask) -> int:
    """Return the menu index of the action that the bot chooses."""
    mind, menu, step = CardEvaluator(ask), ask.menu, ask.view["step"]
    if step == "place":
        return place(mind, menu)
    if step == "choose":
        return max(range(len(menu)), key=lambda index: mind.gain(menu[index]["card"]))
    if step == "king":
        return max(range(len(menu)), key=lambda index: mind.decree(menu[index]))
    if step == "bid":
        return bid(mind)
    if ask.view["lot"].startswith("GOLD"):
        return min(range(len(menu)), key=lambda index: mind.loss(menu[index]["card"]))
    return 0


if __name__ == "__main__":
    run(choose)
