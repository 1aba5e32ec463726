#include "node/gpu/shared_library.h"

#include <gtest/gtest.h>

#include "node/fake_driver_testing.h"

namespace ashlar::node {
namespace {

TEST(SharedLibraryTest, AMissingOneIsNotFoundByNameAndByPath) {
  for (const std::string name : {"libashlar-has-no-such.so.1", "/no/such/folder/lib.so"}) {
    const auto library = SharedLibrary::Open(name);
    EXPECT_EQ(library.status().code(), base::StatusCode::kNotFound) << library.status();
    EXPECT_NE(base::Message(library.status()).find(name), std::string_view::npos);
  }
}

TEST(SharedLibraryTest, AFileThatIsNoneIsNoMissingOne) {
  EXPECT_EQ(SharedLibrary::Open(ASHLAR_TESTDATA "/no_library.so").status().code(),
            base::StatusCode::kFailedPrecondition);
}

TEST(SharedLibraryTest, FindsSymbolsAndKnowsMissingOnes) {
  auto library = SharedLibrary::Open(FakeNvmlPath());
  ASSERT_TRUE(library.ok()) << library.status();
  int (*shut_down)() = nullptr;
  library->Find("nvmlShutdown", shut_down);
  ASSERT_NE(shut_down, nullptr);
  EXPECT_EQ(shut_down(), 1) << "NVML_ERROR_UNINITIALIZED: nobody initialised it";
  library->Find("nvmlNoSuchFunction", shut_down);
  EXPECT_EQ(shut_down, nullptr);
  const SharedLibrary moved = *std::move(library);
  moved.Find("nvmlShutdown", shut_down);
  EXPECT_NE(shut_down, nullptr);
}

}  // namespace
}  // namespace ashlar::node
