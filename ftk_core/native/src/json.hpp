// Canonical JSON as ftk_core/facts.py writes it: fields in declaration order, no spaces. One line per type lists its
// fields (FTK_FIELDS), and both directions follow from it.
#pragma once
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "vec.hpp"

namespace ftk {

// Names of an enumeration in the order of its values; specialised beside each enumeration.
template <class E>
struct Names;
template <class T>
concept Named = requires { Names<T>::names; };

template <class T>
struct Field {
    const char* name;
    T value;
};
template <class T>
Field(const char*, T&&) -> Field<T&&>;

// A field whose name is a word of C++ has an underscore behind it.
constexpr std::string_view json_name(std::string_view field) {
    return field.ends_with('_') ? field.substr(0, field.size() - 1) : field;
}

#define FTK_PARENS ()
#define FTK_EXPAND(...) FTK_EXPAND3(FTK_EXPAND3(FTK_EXPAND3(FTK_EXPAND3(__VA_ARGS__))))
#define FTK_EXPAND3(...) FTK_EXPAND2(FTK_EXPAND2(FTK_EXPAND2(FTK_EXPAND2(__VA_ARGS__))))
#define FTK_EXPAND2(...) FTK_EXPAND1(FTK_EXPAND1(FTK_EXPAND1(FTK_EXPAND1(__VA_ARGS__))))
#define FTK_EXPAND1(...) __VA_ARGS__
#define FTK_EACH(...) __VA_OPT__(FTK_EXPAND(FTK_EACH_STEP(__VA_ARGS__)))
#define FTK_EACH_STEP(name, ...) visit(json_name(#name), self.name); __VA_OPT__(FTK_EACH_AGAIN FTK_PARENS(__VA_ARGS__))
#define FTK_EACH_AGAIN() FTK_EACH_STEP
// Lists the fields of a struct in the order of its JSON. The kind is the tag of a fact or an action, else empty.
#define FTK_FIELDS(tag, ...)                                          \
    static constexpr std::string_view kind = tag;                     \
    template <class Self, class Visit>                                \
    static constexpr void visit_fields(Self& self, Visit&& visit) {   \
        (void)self;                                                   \
        (void)visit;                                                  \
        FTK_EACH(__VA_ARGS__)                                         \
    }

template <class T>
concept Struct = requires { T::kind; };
template <class T>
struct IsVec : std::false_type {};
template <class T, std::size_t N>
struct IsVec<Vec<T, N>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsPair : std::false_type {};
template <class A, class B>
struct IsPair<std::pair<A, B>> : std::true_type {};
template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};

// A type whose JSON is a list: `list` returns it as Vec, and a constructor reads it.
template <class T>
concept Listed = requires(const T& value) { T(value.list()); };

class JsonWriter {
  public:
    explicit JsonWriter(std::string& out) : out_(out) {}

    template <class T>
    void write(const T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            out_ += value ? "true" : "false";
        } else if constexpr (Named<T>) {
            const auto at = static_cast<std::size_t>(value);
            if (at >= std::size(Names<T>::names)) fail("a value has no name");
            (out_ += '"').append(Names<T>::names[at]) += '"';
        } else if constexpr (std::is_integral_v<T>) {
            char digits[24];
            const auto end = std::to_chars(digits, digits + sizeof digits, static_cast<std::int64_t>(value)).ptr;
            out_.append(digits, end);
        } else if constexpr (IsVec<T>::value) {
            out_ += '[';
            for (int at = 0; at < value.size(); ++at) {
                if (at) out_ += ',';
                write(value[at]);
            }
            out_ += ']';
        } else if constexpr (Listed<T>) {
            write(value.list());
        } else if constexpr (IsOptional<T>::value) {
            value ? write(*value) : void(out_ += "null");
        } else if constexpr (IsPair<T>::value) {
            out_ += '[';
            write(value.first);
            out_ += ',';
            write(value.second);
            out_ += ']';
        } else if constexpr (IsVariant<T>::value) {
            std::visit([this](const auto& one) { write(one); }, value);
        } else {
            static_assert(Struct<T>, "a type needs FTK_FIELDS");
            bool first = true;
            out_ += '{';
            if constexpr (!T::kind.empty()) {
                ((out_ += "\"kind\":\"").append(T::kind)) += '"';
                first = false;
            }
            T::visit_fields(value, [&](std::string_view name, const auto& field) {
                if (!first) out_ += ',';
                first = false;
                ((out_ += '"').append(name)) += "\":";
                write(field);
            });
            out_ += '}';
        }
    }

  private:
    std::string& out_;
};

template <class T>
std::string to_json(const T& value) {
    std::string text;
    JsonWriter(text).write(value);
    return text;
}

// Strict reader: it accepts exactly what JsonWriter writes, and raises Error for everything else.
class JsonReader {
  public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    template <class T>
    void read(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            value = accept("true");
            if (!value) expect("false");
        } else if constexpr (Named<T>) {
            expect("\"");
            const std::string_view name = until('"');
            for (std::size_t at = 0; at < std::size(Names<T>::names); ++at)
                if (Names<T>::names[at] == name) {
                    value = static_cast<T>(at);
                    return;
                }
            fail("unknown name");
        } else if constexpr (std::is_integral_v<T>) {
            std::int64_t number = 0;
            const char* start = text_.data() + at_;
            const auto [end, error] = std::from_chars(start, text_.data() + text_.size(), number);
            if (error != std::errc() || number < std::int64_t{std::numeric_limits<T>::min()} ||
                number > static_cast<std::int64_t>(std::numeric_limits<T>::max()))
                fail("not a number of this field");
            const bool zero_first = *(start + (*start == '-')) == '0';
            if (zero_first && end - start > 1) fail("a number begins with a zero");
            at_ += static_cast<std::size_t>(end - start);
            value = static_cast<T>(number);
        } else if constexpr (IsVec<T>::value) {
            value.clear();
            expect("[");
            if (accept("]")) return;
            do {
                std::remove_cvref_t<decltype(value.items[0])> one{};
                read(one);
                value.push(one);
            } while (accept(","));
            expect("]");
        } else if constexpr (Listed<T>) {
            decltype(value.list()) list;
            read(list);
            value = T(list);
            if (!(value.list() == list)) fail("a list has another order");
        } else if constexpr (IsOptional<T>::value) {
            value.reset();
            if (!accept("null")) read(value.emplace());
        } else if constexpr (IsPair<T>::value) {
            expect("[");
            read(value.first);
            expect(",");
            read(value.second);
            expect("]");
        } else if constexpr (IsVariant<T>::value) {
            read_variant(value);
        } else {
            static_assert(Struct<T>, "a type needs FTK_FIELDS");
            bool first = true;
            expect("{");
            if constexpr (!T::kind.empty()) {
                expect("\"kind\":\"");
                expect(T::kind);
                expect("\"");
                first = false;
            }
            T::visit_fields(value, [&](std::string_view name, auto& field) {
                if (!first) expect(",");
                first = false;
                expect("\"");
                expect(name);
                expect("\":");
                read(field);
            });
            expect("}");
        }
    }
    void finish() const {
        if (at_ != text_.size()) fail("text after the end of a value");
    }
    bool accept(std::string_view token) {
        if (!text_.substr(at_).starts_with(token)) return false;
        at_ += token.size();
        return true;
    }
    void expect(std::string_view token) {
        if (!accept(token)) throw Error("expected " + std::string(token) + " at byte " + std::to_string(at_));
    }
    std::string_view until(char mark) {
        const auto end = text_.find(mark, at_);
        if (end == std::string_view::npos) fail("a text does not end");
        const auto part = text_.substr(at_, end - at_);
        at_ = end + 1;
        return part;
    }
    // Skip one object, and return its text. Texts within it contain no braces.
    std::string_view object() {
        const std::size_t start = at_;
        int depth = 0;
        do {
            if (at_ == text_.size()) fail("an object does not end");
            depth += (text_[at_] == '{') - (text_[at_] == '}');
            ++at_;
        } while (depth > 0);
        return text_.substr(start, at_ - start);
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;

    template <class... Kinds>
    void read_variant(std::variant<Kinds...>& value) {
        JsonReader ahead = *this;
        ahead.expect("{\"kind\":\"");
        const auto kind = ahead.until('"');
        const bool known = ((Kinds::kind == kind && (read(value.template emplace<Kinds>()), true)) || ...);
        if (!known) throw Error("unknown kind " + std::string(kind));
    }
};

template <class T>
T from_json(std::string_view text) {
    T value{};
    JsonReader reader(text);
    reader.read(value);
    reader.finish();
    return value;
}

}  // namespace ftk
