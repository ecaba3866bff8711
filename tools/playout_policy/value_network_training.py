"""Training of a neural network that estimates a player's chances in the game To Court the King.

Usage: ``python -m tools.playout_policy.value_network_training [MATCHES]``. It writes the weights into
``ftk_core/native/src/games/to_court_the_king/value_weights.hpp``. Then build the native rules again.

The estimate is the chance to finish ahead of one opponent. The training uses Adam (Kingma and Ba 2015).
"""
# One hidden layer of rectified linear units, direct weights from the inputs to the output, and the output function 1/2
# + z / (2 sqrt(1 + z^2)), which is computed exactly alike on every processor. Half of the matches begin with random
# choices.

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from ftk_core.games.to_court_the_king.characters import CHARACTERS, CHARLATAN, FOOL, QUEEN
from ftk_core.native.native_match import NativeMatch

TARGET = Path("ftk_core/native/src/games/to_court_the_king/value_weights.hpp")
MATCHES, TEST_SHARE, FIRST_TEST_MATCH = 60_000, 0.1, 10_000_000
TABLE_SIZES = (2, 2, 3, 4, 5)
"""Numbers of seats, of which each match has one at random; two seats are the most frequent size."""
MAX_RANDOM_QUESTIONS = 100
"""Half of the matches begin with random choices, up to a random question: a search meets positions of weak bots."""
MAX_ROUND = 12
"""Last round that is estimated. Matches that take longer end soon once the policy plays them."""
CARDS = (FOOL, *CHARACTERS, CHARLATAN, QUEEN)
"""All characters, in the order of the native rules."""
NUMBERS = 7
INPUTS = 3 * len(CARDS) + NUMBERS
UNITS, EPOCHS, BATCH, LEARNING_RATE = 16, 8, 4096, 4e-3
Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueNetwork:
    """Weights of the network that estimates the chance of a seat to finish ahead of an opponent."""

    weights: Array
    """By input and hidden unit."""
    biases: Array
    outputs: Array
    """By hidden unit."""
    direct: Array
    """By input."""
    bias: float

    def predict(self, inputs: Array) -> Array:
        """Return, for each row of inputs, the chance of the seat to finish ahead of the opponent."""
        hidden = np.maximum(inputs @ self.weights + self.biases, 0)
        z = hidden @ self.outputs + inputs @ self.direct + self.bias
        return np.asarray(0.5 + 0.5 * z / np.sqrt(1 + z * z))


def list_inputs(state: dict[str, Any], seat: int, opponent: int) -> list[int]:
    """Return the network's inputs for a player and one opponent."""
    # `ValueInputs` in values.hpp must compute the same.
    inputs = [0] * (3 * len(CARDS))
    for other, cards in enumerate(state["cards"]):
        block = 0 if other == seat else 1 if other == opponent else 2
        for card in cards:
            inputs[block * len(CARDS) + CARDS.index(card)] += 1
    order = state["order"]
    is_first = seat in order and opponent in order and order.index(seat) < order.index(opponent)
    return [
        *inputs,
        *(state["charlatans"][seat], state["charlatans"][opponent], state["round"], state["seats"]),
        *(seat in order, opponent in order, is_first),
    ]


def play_positions(number: int) -> Iterator[tuple[list[int], float]]:
    """Play a match with the seed `number`. Yield pairs (inputs, result) from its positions at the start of a turn.

    The inputs describe a position for one seat and one opponent. The result is 1 if the seat finishes ahead of the
    opponent, 0.5 for an equal place, and 0 otherwise.
    """
    # Each position yields two pairs, in which two random seats change roles. Positions with a king or after round
    # `MAX_ROUND` are left out.
    random = Random(number)
    seats, random_questions = random.choice(TABLE_SIZES), random.choice((0, random.randrange(MAX_RANDOM_QUESTIONS)))
    table = NativeMatch("to_court_the_king", seats)
    table.seed_fast(number)
    table.deal()
    states, last_turn, asked = [], None, 0
    question = table.next_question()
    while question:
        seat, size, asked = question >> 32, question & 0xFFFFFFFF, asked + 1
        if asked <= random_questions:
            question = table.choose(random.randrange(size))
            continue
        state = json.loads(table.state())
        turn, is_open = (state["round"], seat), state["king"] is None and state["round"] <= MAX_ROUND
        if turn != last_turn and is_open and (last_turn or not random_questions):  # not within a turn
            states.append(state)
        last_turn = turn
        question = table.choose(table.quick(seat, random.randbytes(32)))
    places = json.loads(table.result())[0]
    for state in states:
        one, other = random.sample(range(seats), 2)
        for seat, opponent in ((one, other), (other, one)):
            yield list_inputs(state, seat, opponent), 0.5 + 0.5 * np.sign(places[opponent] - places[seat])


def collect(first: int, count: int) -> tuple[npt.NDArray[np.uint8], Array]:
    """Play `count` matches, with the seeds from `first` on. Return the inputs and the results of their positions.

    Row `i` of the inputs belongs to element `i` of the results.
    """
    rows = [row for number in range(first, first + count) for row in play_positions(number)]
    return np.array([inputs for inputs, _ in rows], np.uint8), np.array([result for _, result in rows])


def train(inputs: npt.NDArray[np.uint8], results: Array) -> ValueNetwork:
    """Train and return a network that predicts `results[i]` from `inputs[i]`."""
    random = np.random.default_rng(0)
    means, deviations = inputs.mean(0), inputs.std(0) + 1e-3
    parameters: list[Array] = [
        random.normal(0, INPUTS**-0.5, (INPUTS, UNITS)),
        np.zeros(UNITS),
        random.normal(0, 0.5 * UNITS**-0.5, UNITS),
        np.zeros(INPUTS),
        np.zeros(1),
    ]
    means_of, squares_of = ([np.zeros_like(one) for one in parameters] for _ in range(2))
    steps = EPOCHS * -(-len(inputs) // BATCH)
    batches = (order[at : at + BATCH] for order in _orders(random, len(inputs)) for at in range(0, len(order), BATCH))
    for step, batch in enumerate(batches, 1):
        gradients = _gradients(parameters, (inputs[batch] - means) / deviations, results[batch])
        rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
        for one, gradient, mean, square in zip(parameters, gradients, means_of, squares_of, strict=True):
            mean[:] += 0.1 * (gradient - mean)
            square[:] += 0.001 * (gradient**2 - square)
            one[:] -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    weights, biases, outputs, direct, bias = parameters
    weights, direct = weights / deviations[:, None], direct / deviations
    return ValueNetwork(
        weights=weights,
        biases=biases - means @ weights,
        outputs=outputs,
        direct=direct,
        bias=float(bias[0] - means @ direct),
    )


def _orders(random: np.random.Generator, rows: int) -> Iterator[npt.NDArray[np.int64]]:
    for _ in range(EPOCHS):
        yield random.permutation(rows)


def _gradients(parameters: list[Array], inputs: Array, results: Array) -> list[Array]:
    """Return the gradients of the mean squared error by parameter."""
    weights, biases, outputs, direct, bias = parameters
    sums = inputs @ weights + biases
    hidden = np.maximum(sums, 0)
    z = hidden @ outputs + inputs @ direct + bias
    errors = 0.5 + 0.5 * z / np.sqrt(1 + z * z) - results
    slopes = errors * (1 + z * z) ** -1.5 / len(inputs)
    of_hidden = np.outer(slopes, outputs) * (sums > 0)
    return [inputs.T @ of_hidden, of_hidden.sum(0), hidden.T @ slopes, inputs.T @ slopes, np.array([slopes.sum()])]


def write_header(network: ValueNetwork) -> str:
    """Return the text of the C++ header with the weights, rounded to four significant digits."""

    def array(numbers: Array) -> str:
        return "{" + ", ".join(f"{number:.3e}f" for number in numbers) + "}"

    rows = ",\n".join(f"    {{{array(row)}}}" for row in network.weights)
    return f"""// Weights of the network of values.hpp, written by tools/playout_policy/value_network_training.py.
#pragma once
#include <array>
#include <cstddef>

namespace ftk::to_court {{

constexpr std::size_t VALUE_NUMBERS = {NUMBERS}, VALUE_INPUTS = {INPUTS}, VALUE_UNITS = {UNITS};
constexpr int VALUE_ROUNDS = {MAX_ROUND};
constexpr float VALUE_BIAS = {network.bias:.3e}f;
constexpr std::array<float, VALUE_UNITS> VALUE_BIASES = {array(network.biases)};
constexpr std::array<float, VALUE_UNITS> VALUE_OUTPUTS = {array(network.outputs)};
constexpr std::array<float, VALUE_INPUTS> VALUE_DIRECT = {array(network.direct)};
constexpr std::array<std::array<float, VALUE_UNITS>, VALUE_INPUTS> VALUE_WEIGHTS = {{{{
{rows}
}}}};

}}  // namespace ftk::to_court
"""


def main(matches: int = MATCHES) -> None:
    """Train the network, print its errors for each number of seats, and write its weights."""
    network = train(*collect(0, matches))
    inputs, results = collect(FIRST_TEST_MATCH, round(TEST_SHARE * matches))
    predicted = network.predict(inputs.astype(float))
    for seats in sorted(set(TABLE_SIZES)):
        rows = inputs[:, 3 * len(CARDS) + 3] == seats
        error = np.mean((predicted[rows] - results[rows]) ** 2)
        print(f"{seats} seats: mean squared error {error:.4f}; without a network 0.25")
    TARGET.write_text(write_header(network))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
