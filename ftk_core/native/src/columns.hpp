// Views and actions as rows of numbers between 0 and 1, as in ftk_core/rl/view_encoding.py, which documents feature plans.
#pragma once
#include <algorithm>
#include <vector>

#include "json.hpp"

namespace ftk {

// Row of numbers that notes which columns are not 0, so that they can be cleared without touching the others. There must
// be room for a note of every column.
class ColumnRow {
  public:
    ColumnRow(float* columns, std::uint32_t* notes) : columns_(columns), notes_(notes) {}
    void add(int column, float value) {
        if (columns_[column] == 0) notes_[noted_] = static_cast<std::uint32_t>(column), noted_ += value != 0;
        columns_[column] += value;
    }
    // Cut a sum of rounded parts, which can be a little above 1.
    void limit(int column) { columns_[column] = std::min(columns_[column], 1.0F); }
    int noted() const { return noted_; }

  private:
    float* columns_;
    std::uint32_t* notes_;
    int noted_ = 0;
};

// Node of a feature plan, read from its JSON and then bound to the type whose values it describes.
class Plan {
  public:
    explicit Plan(JsonReader& reader) {
        reader.expect("[\"");
        kind_ = kind_of(reader.until('"'));
        if (kind_ == Kind::number || kind_ == Kind::endless || kind_ == Kind::bag || kind_ == Kind::row)
            low_ = read_number(reader);
        if (kind_ == Kind::number) high_ = read_number(reader);
        if (kind_ == Kind::word || kind_ == Kind::bag) read_list(reader, [&] { words_.push_back(read_word(reader)); });
        if (kind_ == Kind::maybe || kind_ == Kind::row) {
            reader.expect(",");
            parts_.emplace_back(reader);
        }
        if (kind_ == Kind::all) read_list(reader, [&] { parts_.emplace_back(reader); });
        if (kind_ == Kind::record || kind_ == Kind::kinds) read_list(reader, [&] { read_named_part(reader); });
        reader.expect("]");
        place_parts();
    }

    int size() const { return size_; }

    // Prepare the plan for values of a type; raise Error if it does not describe this type.
    template <class T>
    void bind() {
        if (kind_ == Kind::hidden) return;
        if constexpr (std::is_same_v<T, bool>) {
            require(kind_ == Kind::flag);
        } else if constexpr (Named<T>) {
            require(kind_ == Kind::word);
            for (const auto& name : Names<T>::names) columns_.push_back(column_of(name));
        } else if constexpr (std::is_integral_v<T>) {
            require(kind_ == Kind::word || kind_ == Kind::number || kind_ == Kind::endless);
            if (kind_ == Kind::word) bind_numbers();
        } else if constexpr (Listed<T>) {
            bind<decltype(T{}.list())>();
        } else if constexpr (IsVec<T>::value) {
            using Item = std::remove_cvref_t<decltype(T{}.items[0])>;
            require(kind_ == Kind::bag || kind_ == Kind::row);
            if (kind_ == Kind::row) return parts_[0].bind<Item>();
            if constexpr (Named<Item>) {
                for (const auto& name : Names<Item>::names) columns_.push_back(column_of(name));
            } else {
                require(std::is_integral_v<Item>);
                bind_numbers();
            }
        } else if constexpr (IsOptional<T>::value) {
            require(kind_ == Kind::maybe);
            parts_[0].bind<typename T::value_type>();
        } else if constexpr (IsPair<T>::value) {
            require(kind_ == Kind::all && parts_.size() == 2);
            parts_[0].bind<typename T::first_type>();
            parts_[1].bind<typename T::second_type>();
        } else if constexpr (IsVariant<T>::value) {
            require(kind_ == Kind::kinds && parts_.size() == std::variant_size_v<T>);
            bind_kinds(static_cast<T*>(nullptr));
        } else {
            bind_fields<T>();
        }
    }

    // Write the columns of a value; raise Error if it lies outside the bounds of the plan.
    template <class T>
    void write(const T& value, ColumnRow& row, int at) const {
        if (kind_ == Kind::hidden) return;
        if constexpr (std::is_same_v<T, bool>) {
            if (value) row.add(at, 1);
        } else if constexpr (Named<T>) {
            row.add(at + column(static_cast<std::size_t>(value)), 1);
        } else if constexpr (std::is_integral_v<T>) {
            write_number(static_cast<std::int64_t>(value), row, at);
        } else if constexpr (Listed<T>) {
            write(value.list(), row, at);
        } else if constexpr (IsVec<T>::value) {
            using Item = std::remove_cvref_t<decltype(value[0])>;
            if constexpr (Named<Item> || std::is_integral_v<Item>)
                if (kind_ == Kind::bag) return write_bag(value, row, at);
            if (value.size() > low_) fail("a view has more items than its bound");
            for (const auto& item : value) {
                if (is_there(item)) {
                    row.add(at, 1);
                    parts_[0].write(item, row, at + 1);
                }
                at += 1 + parts_[0].size_;
            }
        } else if constexpr (IsOptional<T>::value) {
            if (!value) return;
            row.add(at, 1);
            parts_[0].write(*value, row, at + 1);
        } else if constexpr (IsPair<T>::value) {
            parts_[0].write(value.first, row, at);
            parts_[1].write(value.second, row, at + starts_[1]);
        } else if constexpr (IsVariant<T>::value) {
            const auto kind = static_cast<std::size_t>(columns_[value.index()]);
            row.add(at + static_cast<int>(kind), 1);
            std::visit([&](const auto& one) { parts_[kind].write(one, row, at + starts_[kind]); }, value);
        } else {
            std::size_t number = 0;
            T::visit_fields(value, [&](std::string_view, const auto& field) {
                parts_[number].write(field, row, at + starts_[number]);
                ++number;
            });
        }
    }

    // The same for a record of these values.
    template <class... T>
    void bind_parts() {
        require(kind_ == Kind::record && parts_.size() == sizeof...(T));
        std::size_t number = 0;
        (parts_[number++].bind<std::remove_cvref_t<T>>(), ...);
    }
    template <class... T>
    void write_parts(ColumnRow& row, const T&... values) const {
        std::size_t number = 0;
        ((parts_[number].write(values, row, starts_[number]), ++number), ...);
    }

  private:
    static constexpr std::int64_t MAX_NUMBER = 1'000'000;  // of columns, and for every bound
    enum class Kind : std::uint8_t { flag, number, endless, word, bag, maybe, row, all, record, kinds, hidden };
    Kind kind_{};
    int size_ = 0;
    std::int64_t low_ = 0, high_ = 0;  // bounds of a number; half of an endless one; the most of a row; the each of a bag
    std::vector<std::string> words_;   // words of a word or a bag, names of parts
    std::vector<Plan> parts_;
    std::vector<int> starts_;   // first column of each part
    std::vector<int> columns_;  // by value: its column, or -1; by kind of a variant: its part

    static Kind kind_of(std::string_view name) {
        constexpr std::string_view names[] = {"flag", "number", "endless", "word",  "bag",   "maybe",
                                              "row",  "all",    "record",  "kinds", "hidden"};
        for (std::size_t at = 0; at < std::size(names); ++at)
            if (names[at] == name) return static_cast<Kind>(at);
        fail("unknown kind of feature plan");
    }
    static std::int64_t read_number(JsonReader& reader) {
        std::int64_t number = 0;
        reader.expect(",");
        reader.read(number);
        if (number < -MAX_NUMBER || number > MAX_NUMBER) fail("a number of a feature plan is out of range");
        return number;
    }
    static std::string read_word(JsonReader& reader) {
        if (reader.accept("\"")) return std::string(reader.until('"'));
        std::int64_t number = 0;
        reader.read(number);
        return std::to_string(number);
    }
    template <class Read>
    static void read_list(JsonReader& reader, Read&& read) {
        reader.expect(",[");
        if (reader.accept("]")) return;
        do read();
        while (reader.accept(","));
        reader.expect("]");
    }
    void read_named_part(JsonReader& reader) {
        reader.expect("[\"");
        words_.emplace_back(reader.until('"'));
        reader.expect(",");
        parts_.emplace_back(reader);
        reader.expect("]");
    }
    void place_parts() {
        size_ = kind_ == Kind::kinds || kind_ == Kind::word || kind_ == Kind::bag ? static_cast<int>(words_.size()) : 0;
        if (kind_ == Kind::flag || kind_ == Kind::number || kind_ == Kind::endless || kind_ == Kind::maybe) size_ = 1;
        for (const Plan& part : parts_) {
            starts_.push_back(size_);
            size_ += part.size_;
            if (size_ > MAX_NUMBER) fail("a feature plan has too many columns");
        }
        if (kind_ == Kind::row) {
            if (low_ < 0 || low_ * (1 + parts_[0].size_) > MAX_NUMBER) fail("a row of a feature plan is out of range");
            size_ = static_cast<int>(low_) * (1 + parts_[0].size_);
        }
    }

    template <class T>
    static bool is_there(const T& value) {
        if constexpr (IsOptional<T>::value) return value.has_value();
        return true;
    }
    static void require(bool fits) {
        if (!fits) fail("a feature plan does not describe this type");
    }
    int column_of(std::string_view word) const {
        for (std::size_t at = 0; at < words_.size(); ++at)
            if (words_[at] == word) return static_cast<int>(at);
        return -1;
    }
    void bind_numbers() {
        for (int number = 0; number < 256; ++number) columns_.push_back(column_of(std::to_string(number)));
    }
    template <class... Kinds>
    void bind_kinds(std::variant<Kinds...>*) {
        (columns_.push_back(column_of(Kinds::kind)), ...);
        for (const int part : columns_) require(part >= 0);
        (parts_[static_cast<std::size_t>(column_of(Kinds::kind))].template bind<Kinds>(), ...);
    }
    template <class T>
    void bind_fields() {
        static_assert(Struct<T>, "a type needs FTK_FIELDS");
        require(kind_ == Kind::record);
        std::size_t number = 0;
        const T example{};
        T::visit_fields(example, [&](std::string_view name, const auto& field) {
            require(number < parts_.size() && words_[number] == name);
            parts_[number++].bind<std::remove_cvref_t<decltype(field)>>();
        });
        require(number == parts_.size());
    }

    int column(std::size_t value) const {
        const int column = value < columns_.size() ? columns_[value] : -1;
        if (column < 0) fail("a view has a value that its bounds do not list");
        return column;
    }
    void write_number(std::int64_t value, ColumnRow& row, int at) const {
        if (kind_ == Kind::word) return row.add(at + column(static_cast<std::size_t>(value)), 1);
        if (value < (kind_ == Kind::number ? low_ : 0) || (kind_ == Kind::number && value > high_))
            fail("a view has a number outside its bounds");
        const auto number = static_cast<double>(value), low = static_cast<double>(low_);
        if (kind_ == Kind::endless) return row.add(at, static_cast<float>(number / (number + low)));
        const auto width = static_cast<double>(std::max<std::int64_t>(1, high_ - low_));
        row.add(at, static_cast<float>((number - low) / width));
    }
    template <class T>
    void write_bag(const T& values, ColumnRow& row, int at) const {
        const auto part = static_cast<float>(1.0 / static_cast<double>(low_));
        std::vector<std::int64_t> counts(values.size() > low_ ? words_.size() : 0);
        for (const auto& value : values) {
            const int found = column(static_cast<std::size_t>(value));
            row.add(at + found, part);
            row.limit(at + found);
            if (!counts.empty() && ++counts[static_cast<std::size_t>(found)] > low_)
                fail("a view has more of a kind than its bound");
        }
    }
};

inline Plan read_plan(std::string_view json) {
    JsonReader reader(json);
    Plan plan(reader);
    reader.finish();
    return plan;
}

}  // namespace ftk
