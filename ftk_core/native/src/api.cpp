// C interface of the native rules. Strings are UTF-8 with an explicit size. A function that fails returns a negative
// number or null, and ftk_error() says why. Handles are not shared between threads; different handles may be.
#include <atomic>
#include <thread>

#include "games/for_the_king/rules.hpp"
#include "games/kings_court/rules.hpp"
#include "games/pig.hpp"
#include "games/to_court_the_king/rules.hpp"
#include "search.hpp"

#if defined(_WIN32)
#define FTK_API extern "C" __declspec(dllexport)
#else
#define FTK_API extern "C" __attribute__((visibility("default")))
#endif

using namespace ftk;

namespace {

thread_local std::string last_error;

struct Handle {
    std::unique_ptr<Table> table;
    Chance chance{std::uint64_t{0}};
    std::string text;  // valid until the next call with this handle
    mutable std::int64_t spent = 0;  // by the last search
};

template <class Action>
auto guarded(Action&& action, decltype(action()) failed) noexcept -> decltype(action()) {
    try {
        return action();
    } catch (const std::exception& error) {
        last_error = error.what();
    } catch (...) {
        last_error = "unknown error";
    }
    return failed;
}

// Every native game. A new game is added here.
using Games = std::tuple<king::Game, kings_court::Game, pig::Game, to_court::Game>;

// Call `use` with the type of the named game; return false if there is no such game.
template <class Use>
bool with_game(std::string_view name, Use&& use) {
    return std::apply(
        [&](auto... game) { return ((decltype(game)::name == name && (use(game), true)) || ...); }, Games{});
}

std::unique_ptr<Table> make_table(std::string_view game, int seats, std::string_view options) {
    std::unique_ptr<Table> table;
    const bool known = with_game(
        game, [&](auto rules) { table = std::make_unique<TableOf<decltype(rules)>>(seats, options); });
    if (!known) throw Error("there is no native game " + std::string(game));
    return table;
}

Seed read_seed(const std::uint8_t* bytes) {
    Seed seed;
    std::memcpy(seed.data(), bytes, seed.size());
    return seed;
}

}  // namespace

// Version of the rules of a game; 0 if there is no such native game.
FTK_API int ftk_game_version(const char* game) {
    int version = 0;
    with_game(game, [&](auto rules) { version = decltype(rules)::version; });
    return version;
}
FTK_API const char* ftk_error() { return last_error.c_str(); }

// Bare table of a game; null if there is no such game, table size or option.
FTK_API Handle* ftk_new(const char* game, int seats, const char* options, std::size_t size) {
    return guarded(
        [&] {
            auto handle = std::make_unique<Handle>();
            handle->table = make_table(game, seats, {options, size});
            return handle.release();
        },
        static_cast<Handle*>(nullptr));
}
FTK_API void ftk_free(Handle* handle) { delete handle; }
FTK_API Handle* ftk_copy(const Handle* handle) {
    return guarded(
        [&] {
            auto other = std::make_unique<Handle>();
            other->table = handle->table->copy();
            other->chance = handle->chance;
            return other.release();
        },
        static_cast<Handle*>(nullptr));
}
// Luck by seed and label, as in a logged match.
FTK_API void ftk_seed(Handle* handle, const std::uint8_t* seed) { handle->chance = Chance(read_seed(seed)); }
// Fast luck that no seed repeats elsewhere.
FTK_API void ftk_seed_fast(Handle* handle, std::uint64_t seed) { handle->chance = Chance(seed); }

FTK_API int ftk_seats(Handle* handle) { return handle->table->seats(); }
FTK_API int ftk_seats_due(Handle* handle) {
    return guarded([&] { return handle->table->seats_due(); }, -1);
}
FTK_API int ftk_menu_size(Handle* handle, int seat) {
    return guarded([&] { return handle->table->menu_size(seat); }, -1);
}
FTK_API int ftk_quick(Handle* handle, int seat, const std::uint8_t* seed) {
    return guarded(
        [&] {
            Draw draw(read_seed(seed), "policy");
            return handle->table->quick(seat, draw);
        },
        -1);
}
// For play driven from outside: the next menu of several items as seat << 32 | size, or 0 at the end of the match.
FTK_API std::int64_t ftk_next_question(Handle* handle) {
    return guarded([&] { return handle->table->next_question(handle->chance); }, std::int64_t{-1});
}
// Answer that question with an item of the menu; return the next one.
FTK_API std::int64_t ftk_choose(Handle* handle, int item) {
    return guarded([&] { return handle->table->choose(item, handle->chance); }, std::int64_t{-1});
}
FTK_API int ftk_step(Handle* handle, int seat, int item) {
    return guarded([&] { return handle->table->step(seat, item, handle->chance), 0; }, -1);
}
FTK_API int ftk_resample(Handle* handle, int viewer) {
    return guarded([&] { return handle->table->resample(viewer, handle->chance), 0; }, -1);
}
FTK_API int ftk_set_state(Handle* handle, const char* json, std::size_t size) {
    return guarded([&] { return handle->table->set_state({json, size}), 0; }, -1);
}
FTK_API int ftk_apply(Handle* handle, const char* fact, std::size_t size) {
    return guarded([&] { return handle->table->apply_fact({fact, size}), 0; }, -1);
}

namespace {
template <class Holder, class Make>
std::int64_t answer(Holder* handle, const char** text, Make&& make) {
    return guarded(
        [&] {
            handle->text = make();
            *text = handle->text.data();
            return static_cast<std::int64_t>(handle->text.size());
        },
        std::int64_t{-1});
}
}  // namespace

// Many states that a viewer cannot distinguish from the present one. They do not follow the table's later changes.
struct DealtWorlds {
    std::unique_ptr<Worlds> worlds;
    std::string text;
};
FTK_API DealtWorlds* ftk_worlds_new(const Handle* handle, int viewer) {
    return guarded([&] { return new DealtWorlds{handle->table->worlds(viewer), ""}; },
                   static_cast<DealtWorlds*>(nullptr));
}
FTK_API void ftk_worlds_free(DealtWorlds* worlds) { delete worlds; }
FTK_API std::int64_t ftk_worlds_deal(DealtWorlds* worlds, const std::uint8_t* seed, const char** text) {
    return answer(worlds, text, [&] {
        Chance chance(read_seed(seed));
        return worlds->worlds->deal(chance)->state();
    });
}

// The following set *text and return its size.
FTK_API std::int64_t ftk_state(Handle* handle, const char** text) {
    return answer(handle, text, [&] { return handle->table->state(); });
}
FTK_API std::int64_t ftk_view(Handle* handle, int viewer, const char** text) {
    return answer(handle, text, [&] { return handle->table->view(viewer); });
}
FTK_API std::int64_t ftk_menu(Handle* handle, int seat, const char** text) {
    return answer(handle, text, [&] { return handle->table->menu(seat); });
}
FTK_API std::int64_t ftk_result(Handle* handle, const char** text) {
    return answer(handle, text, [&] { return handle->table->result(); });
}
FTK_API std::int64_t ftk_deal(Handle* handle, const char** text) {
    return answer(handle, text, [&] { return handle->table->deal(handle->chance); });
}
// Play an action that was legal in the state in which its seat chose it; other seats may have played since.
FTK_API std::int64_t ftk_follow_action(Handle* handle, int seat, const char* action, std::size_t size,
                                       const char** text) {
    return answer(handle, text, [&] { return handle->table->follow_action(seat, {action, size}, handle->chance); });
}
FTK_API std::int64_t ftk_rerun(Handle* handle, const char* lines, std::size_t size, const char** text) {
    return answer(handle, text, [&] { return handle->table->rerun({lines, size}, handle->chance); });
}

// How a table is played on many times (ftk_playouts).
struct FtkPlayouts {
    const char* name;  // playout k draws from the seed SHA-256("<name>/k"), as ftk_core/analysis/position_estimates.py does
    std::size_t name_size;
    std::int64_t first, count;          // numbers of the playouts
    const std::uint8_t* luck;           // seed of the match's luck; null if each playout has its own
    const char* early[MAX_SEATS];       // by seat: a choice that is already made, as JSON; null if none
    int deal;                           // nonzero to deal a bare table first
    int seat, item;                     // item of that seat's menu to play first; none if the item is negative
    int viewer;                         // has everything that it does not know dealt again, unless it is OMNISCIENT
    int policy, threads;
    const std::int32_t* items;          // items of the seat's menu: each is played on in the same world with the same luck
    int item_count;                     // 0 if the seat chooses by the policy
    int later;                          // 1 + the item that the seat plays after `items` as soon as a menu offers it; 0: none
};

namespace {

// Play on to the end from one world, with each of the items; write the places, item by item and seat by seat.
std::int64_t play_items(const Table& world, const FtkPlayouts& terms, const Chance& luck, const Draw& words,
                        std::int8_t* places) {
    std::int64_t choices = 0;
    for (int at = 0; at < terms.item_count; ++at, places += world.seats()) {
        const auto table = world.copy();
        Chance chance = luck;
        Draw draw = words;
        const auto policy = static_cast<Policy>(terms.policy);
        choices += table->play_on_with(terms.seat, terms.items[at], chance, policy, draw, terms.later);
        table->places(places);
    }
    return choices;
}

}  // namespace

namespace {

// With `effective`, each playout's world is drawn from `candidates` by its likelihood, and `effective` gets as many numbers
// as there are playouts (see `deal_likely`).
std::int64_t play_out(const Handle* handle, const FtkPlayouts* terms, std::int8_t* places, int candidates,
                      double* effective) {
    return guarded(
        [&] {
            const std::string name(terms->name, terms->name_size);
            std::atomic<std::int64_t> next{0}, choices{0};
            std::atomic<bool> failed{false};
            std::string why;
            const auto work = [&] {
                try {
                    std::unique_ptr<Worlds> worlds;  // if all playouts deal again from one state
                    if (!terms->deal && terms->item < 0) worlds = handle->table->worlds(terms->viewer);
                    for (std::int64_t number; !failed && (number = next++) < terms->count;) {
                        Chance own(seed_of(name + "/" + std::to_string(terms->first + number)));
                        Draw draw = own.at("policy");
                        Chance chance = terms->luck ? Chance(read_seed(terms->luck)) : own;
                        const auto deal_world = [&] {
                            if (!effective) return worlds->deal(chance);
                            Draw drawing = own.at("candidates");
                            return worlds->deal_likely(chance, drawing, candidates, effective[number]);
                        };
                        const auto table = worlds ? deal_world() : handle->table->copy();
                        if (terms->deal) table->deal_unrecorded(chance);
                        if (terms->item >= 0) table->step(terms->seat, terms->item, chance);
                        if (!worlds && terms->viewer != OMNISCIENT) table->resample(terms->viewer, chance);
                        const auto to = places + number * table->seats() * std::max(1, terms->item_count);
                        if (terms->item_count > 0) {
                            choices += play_items(*table, *terms, chance, draw, to);
                            continue;
                        }
                        choices += table->play_on(chance, static_cast<Policy>(terms->policy), draw, terms->early);
                        table->places(to);
                    }
                } catch (const std::exception& error) {
                    if (!failed.exchange(true)) why = error.what();
                }
            };
            std::vector<std::thread> others;
            for (int number = 1; number < terms->threads; ++number) {
                try {
                    others.emplace_back(work);
                } catch (const std::exception&) {
                    break;  // the system has no further thread or memory; the results do not depend on their number
                }
            }
            work();
            for (auto& other : others) other.join();
            if (failed) throw Error(why);
            return choices.load();
        },
        std::int64_t{-1});
}

}  // namespace

// Play on from a table many times and write the places of each playout, seat by seat; return the number of choices.
// With items there are as many results of each playout as items.
FTK_API std::int64_t ftk_playouts(const Handle* handle, const FtkPlayouts* terms, std::int8_t* places) {
    return play_out(handle, terms, places, 0, nullptr);
}

// The same in worlds that are likely if all seats but the viewer have played by the policy. Neither `deal` nor `item` of the
// terms may be used.
FTK_API std::int64_t ftk_likely_playouts(const Handle* handle, const FtkPlayouts* terms, int candidates,
                                         std::int8_t* places, double* effective) {
    return play_out(handle, terms, places, candidates, effective);
}

// Play matches from the bare table without a log and with fast luck; return the number of choices.
FTK_API std::int64_t ftk_play_fast(const Handle* handle, std::uint64_t seed, std::int64_t count, int policy) {
    return guarded(
        [&] {
            FastRandom random(seed);
            Draw draw(random);
            std::int64_t choices = 0;
            for (std::int64_t number = 0; number < count; ++number) {
                const auto table = handle->table->copy();
                Chance chance(std::uint64_t{random.word()} << 32 | random.word());
                table->deal_unrecorded(chance);
                choices += table->play_on(chance, static_cast<Policy>(policy), draw, nullptr);
            }
            return choices;
        },
        std::int64_t{-1});
}

// Search for the best item of a seat's menu, from what this seat knows: write the estimated share of every item and the
// number of its playouts, and return the best item.
FTK_API int ftk_search(const Handle* handle, const SearchTerms* terms, double* shares, std::int64_t* playouts) {
    return guarded(
        [&] {
            check_seat(terms->seat, handle->table->seats());
            Search search(*handle->table, *terms);
            const int best = search.run(shares, playouts);
            handle->spent = search.spent();
            return best;
        },
        -1);
}

// Number of choices that the last search of this match played, with the costs of its worlds and estimates. Where the answer
// is fixed this is at most some 2,000.
FTK_API std::int64_t ftk_search_spent(const Handle* handle) { return handle->spent; }

// Tables for a learning program. `plans` are the feature plans of a seat's observation and of an action, as JSON, each
// ended by a zero, and `width` and `action_width` their numbers of columns; `opponents` is a value of Opponents. Null if
// that is impossible.
FTK_API LearningTables* ftk_learning_new(const char* game, int seats, const char* options, std::size_t size, int count,
                                         const char* view_plan, const char* action_plan, int width,
                                         int action_width, int longest_menu, int opponents) {
    return guarded(
        [&] {
            if (opponents < 0 || opponents > static_cast<int>(Opponents::none)) fail("no such opponents");
            Encoder encoder{read_plan(view_plan), read_plan(action_plan)};
            if (encoder.view.size() != width || encoder.action.size() != action_width)
                fail("a feature plan has another number of columns");
            return new LearningTables(make_table(game, seats, {options, size}), count, std::move(encoder), longest_menu,
                                      static_cast<Opponents>(opponents));
        },
        static_cast<LearningTables*>(nullptr));
}
FTK_API void ftk_learning_free(LearningTables* tables) { delete tables; }
FTK_API int ftk_learning_deal(LearningTables* tables, int table, const std::uint8_t* seed, std::int32_t* sizes) {
    return guarded([&] { return tables->deal(table, read_seed(seed), sizes), 0; }, -1);
}
FTK_API int ftk_learning_answer(LearningTables* tables, int table, const std::int32_t* items, std::int32_t* sizes) {
    return guarded([&] { return tables->answer(table, items, sizes), 0; }, -1);
}
FTK_API int ftk_learning_observe(LearningTables* tables, int table, int seat, float* row) {
    return guarded([&] { return tables->observe(table, seat, row), 0; }, -1);
}
FTK_API int ftk_learning_menu(LearningTables* tables, int table, int seat, float* rows, int size) {
    return guarded([&] { return tables->write_menu(table, seat, rows, size), 0; }, -1);
}
FTK_API int ftk_learning_places(LearningTables* tables, int table, std::int8_t* places) {
    return guarded([&] { return tables->places(table, places), 0; }, -1);
}
FTK_API int ftk_learning_series(LearningTables* tables, const char* name) {
    return guarded([&] { return tables->name_series(name), 0; }, -1);
}
FTK_API int ftk_learning_step(LearningTables* tables, const LearningStep* step) {
    return guarded([&] { return tables->step(*step), 0; }, -1);
}
FTK_API int ftk_learning_deal_again(LearningTables* tables, const LearningStep* step) {
    return guarded([&] { return tables->deal_again(*step), 0; }, -1);
}
