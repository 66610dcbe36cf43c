// SPDX-License-Identifier: BSL-1.0
#include "../../../shims/linux/files/file_operations.hpp"
#include "opening.hpp"

namespace files_workspace_files_rights_test {

using namespace opening;

TEST_CASE("workspace files: operations fail in nested read-only and hidden directories, and succeed beside them") {
  using act = void (*)(const workspace_files&, const std::string&, problem&);
  struct row {
    const char* what;
    act does;
    bool read_only_allows;
    const char* name;
  };
  const row rows[]{
      {"read",
       [](const workspace_files& o, const std::string& p, problem& e) {
         (void)o.read(p, workspace_files::kinds::regular, e);
       },
       true, "/file"},
      {"list", [](const workspace_files& o, const std::string& p, problem& e) { (void)o.list(p, e); }, true, ""},
      {"look",
       [](const workspace_files& o, const std::string& p, problem& e) {
         (void)o.look(p, workspace_files::last_link::follow, e);
       },
       true, "/file"},
      {"exists", [](const workspace_files& o, const std::string& p, problem& e) { (void)o.exists(p, e); }, true,
       "/none"},
      {"write",
       [](const workspace_files& o, const std::string& p, problem& e) {
         (void)o.write(p, workspace_files::content::drop, workspace_files::kinds::regular, e);
       },
       false, "/file"},
      {"append", [](const workspace_files& o, const std::string& p, problem& e) { (void)o.append(p, e); }, false,
       "/file"},
      {"create",
       [](const workspace_files& o, const std::string& p, problem& e) {
         (void)o.create(p, workspace_files::existing::refuse, 0666, e);
       },
       false, "/new"},
      {"replace",
       [](const workspace_files& o, const std::string& p, problem& e) {
         (void)o.create(p, workspace_files::existing::replace, 0666, e);
       },
       false, "/file"},
      {"make_directory",
       [](const workspace_files& o, const std::string& p, problem& e) { o.make_directory(p, 0777, e); }, false,
       "/newdir"},
      {"set_attributes",
       [](const workspace_files& o, const std::string& p, problem& e) {
         o.set_attributes(p, {.mode = 0600, .accessed = {}, .modified = {}}, e);
       },
       false, "/file"},
      {"remove", [](const workspace_files& o, const std::string& p, problem& e) { o.remove(p, e); }, false, "/file"},
      {"remove_directory", [](const workspace_files& o, const std::string& p, problem& e) { o.remove_directory(p, e); },
       false, "/empty"},
      {"remove_tree", [](const workspace_files& o, const std::string& p, problem& e) { o.remove_tree(p, e); }, false,
       ""},
  };
  both_ways([&](const tree& t, lookup how) {
    const workspace_files o(t.policy(), how);
    for (const char* dir : {"work/fixed", "work/key", "work/a/sub"}) t.dir(std::string(dir) + "/empty");
    for (const row& r : rows) {
      CAPTURE(r.what);
      const auto run = [&](const std::string& place) { return [&, place](problem& p) { r.does(o, place, p); }; };
      CHECK(refuses(run(t.at("work/key") + r.name), t.at("work/key") + r.name));
      if (r.read_only_allows) CHECK(error_of(run(t.at("work/fixed") + r.name)) == 0);
      else CHECK(refuses(run(t.at("work/fixed") + r.name), t.at("work/fixed") + r.name));
      CHECK(error_of(run(t.at("work/a/sub") + r.name)) == 0);
    }
    for (const char* dir : {"work/fixed", "work/key"}) {
      CHECK(content(t.at(dir) + "/file") == "inside");
      CHECK(std::distance(std::filesystem::directory_iterator(t.at(dir)), {}) == 2);
    }
  });
}

TEST_CASE("workspace files: a move or copy needs the rights at its source and its target") {
  both_ways([](const tree& t, lookup how) {
    const workspace_files o(t.policy(), how);
    const auto rename = [&](const char* from, const char* to) {
      return [&, from, to](problem& p) { o.rename(t.at(from), t.at(to), workspace_files::existing::refuse, p); };
    };
    const auto copy = [&](const char* from, const char* to) {
      return [&, from, to](problem& p) { o.copy(t.at(from), t.at(to), workspace_files::existing::refuse, p); };
    };
    CHECK(refuses(rename("work/fixed/file", "work/a/x"), t.at("work/fixed/file")));
    CHECK(refuses(rename("work/a/file", "work/fixed/x"), t.at("work/fixed/x")));
    CHECK(refuses(rename("work/key", "work/a/x"), t.at("work/key")));
    CHECK(refuses(rename("work/a/file", "outside/x"), t.at("outside")));
    CHECK(refuses(copy("work/key/file", "work/a/x"), t.at("work/key/file")));
    CHECK(refuses(copy("work/a/file", "work/fixed/x"), t.at("work/fixed/x")));
    CHECK(refuses(copy("outside/secret", "work/a/x"), t.at("outside/secret")));
    CHECK(error_of(rename("work/a/file", "work/a/sub/file")) == EEXIST);
    CHECK(error_of(rename("work/a/file", "work/a/x")) == 0);
    CHECK(error_of(copy("work/fixed/file", "work/a/y")) == 0);
    CHECK(error_of(copy("work/fixed/file", "work/a/y")) == EEXIST);
    CHECK(error_of([&](problem& p) {
            o.copy(t.at("work/a/y"), t.at("work/a/y"), workspace_files::existing::replace, p);
          }) == EINVAL);
    CHECK(content(t.at("work/a/y")) == "inside");
    CHECK(error_of([&](problem& p) {
            o.rename(t.at("work/a/x"), t.at("work/a/y"), workspace_files::existing::replace, p);
          }) == 0);
  });
}

TEST_CASE("workspace files: a directory above a path with rights of its own cannot be moved or removed") {
  both_ways([](const tree& t, lookup how) {
    for (int i = 0; i < 20; ++i) t.file("work/a/keep" + std::to_string(i));
    const workspace_files o(tools({{t.at("work"), verb::write}, {t.at("work/a/sub"), verb::read}}), how);
    CHECK(refuses([&](problem& p) { o.rename(t.at("work/a"), t.at("work/b"), workspace_files::existing::refuse, p); },
                  t.at("work/a")));
    CHECK(refuses([&](problem& p) { o.remove_tree(t.at("work/a"), p); }, t.at("work/a/sub")));
    CHECK(std::distance(std::filesystem::directory_iterator(t.at("work/a")), {}) == 22);
    const workspace_files free(tools({{t.at("work"), verb::write}}), how);
    free.rename(t.at("work/a"), t.at("work/b"));
    free.remove_tree(t.at("work/b"));
    CHECK_FALSE(std::filesystem::exists(t.at("work/b")));
  });
}

TEST_CASE("workspace files: remove_tree_at stops at a path that may not be removed") {
  const tree t;
  const linux_shim::workspace in(tools({{t.at("work"), verb::write}, {t.at("work/a/sub"), verb::read}}), true);
  const auto holder = in.find_entry(t.at("work/a"), right::remove);
  try {
    linux_shim::remove_tree_at(in, holder.holder.inode.get(), "a", t.at("work/a"));
    FAIL("removed");
  } catch (const workspace_files::file_error& e) { CHECK((e.why().refused && e.why().place == t.at("work/a/sub"))); }
  CHECK(std::filesystem::exists(t.at("work/a/sub/file")));
}

TEST_CASE("workspace files: a hard link to a hidden file is refused") {
  both_ways([](const tree& t, lookup how) {
    std::filesystem::create_hard_link(t.at("work/key/file"), t.at("work/alias"));
    std::filesystem::create_hard_link(t.at("work/a/file"), t.at("work/free"));
    const workspace_files o(tools({{t.at("work"), verb::write}, {t.at("work/key/file"), verb::hide}}), how);
    CHECK(refuses(reading(o, t.at("work/alias")), t.at("work/alias")));
    CHECK(refuses(writing(o, t.at("work/alias")), t.at("work/alias")));
    CHECK(error_of(writing(o, t.at("work/free"))) == 0);
    CHECK(content(t.at("work/key/file")) == "inside");
  });
}

TEST_CASE("workspace files: a grant of one file allows nothing beside it") {
  both_ways([](const tree& t, lookup how) {
    const workspace_files o(tools({{t.at("work/a/file"), verb::write}}), how);
    CHECK(error_of(writing(o, t.at("work/a/file"))) == 0);
    CHECK(refuses(reading(o, t.at("work/a/sub/file")), t.at("work/a/sub/file")));
    CHECK(refuses([&](problem& p) { o.remove(t.at("work/a/file"), p); }, t.at("work/a/file")));
  });
}

TEST_CASE("workspace files: a hidden path need not exist, and may contain granted paths") {
  both_ways([](const tree& t, lookup how) {
    const grants places{{t.at("none"), verb::hide}, {t.at("work"), verb::hide}, {t.at("work/a"), verb::write}};
    const workspace_files o(tools(places), how);
    CHECK(content(o.read(t.at("work/a/file"))) == "inside");
    CHECK(refuses(reading(o, t.at("work/fixed/file")), t.at("work/fixed/file")));
  });
}

} // namespace files_workspace_files_rights_test
