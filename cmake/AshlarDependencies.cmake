# Every library of the house, found once. All come from Debian 12; tools/install-deps installs them.
find_package(Threads REQUIRED)
find_package(absl REQUIRED)
find_package(fmt REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json url)
find_package(OpenSSL REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(PostgreSQL REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(URING REQUIRED IMPORTED_TARGET liburing)
pkg_check_modules(CLI11 REQUIRED IMPORTED_TARGET CLI11)
if(ASHLAR_TESTS)
  find_package(GTest REQUIRED)
endif()
if(ASHLAR_BENCHES)
  find_package(benchmark REQUIRED)
endif()

# What every translation unit may include: status, time, text formatting and JSON.
add_library(ashlar_words INTERFACE)
target_link_libraries(ashlar_words INTERFACE absl::status absl::statusor absl::time fmt::fmt
                      Boost::json Boost::url Threads::Threads)
target_include_directories(ashlar_words INTERFACE "${CMAKE_SOURCE_DIR}/src" "${CMAKE_BINARY_DIR}/generated")
