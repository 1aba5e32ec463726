# Turns the files of a folder into one C++ source: a table of (name, bytes), so that one binary carries its data.
# Run as: cmake -DFOLDER=... -DOUTPUT=... -P AshlarEmbed.cmake
file(GLOB_RECURSE names RELATIVE "${FOLDER}" "${FOLDER}/*.yaml" "${FOLDER}/*.json" "${FOLDER}/*.css")
list(SORT names)
set(arrays "")
set(rows "")
set(index 0)
foreach(name ${names})
  file(READ "${FOLDER}/${name}" hex HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  # A string literal of one line: compilers read it many times faster than a list of numbers.
  string(APPEND arrays "constexpr char kFile${index}[] = \"${bytes}\";\n")
  string(APPEND rows "    {\"${name}\", std::string_view(kFile${index}, ${size})},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}.new" "#include \"base/embedded_data.h\"\n\nnamespace ashlar::base {\nnamespace {\n${arrays}\nconstexpr EmbeddedFile kFiles[] = {\n${rows}};\n}  // namespace\n\nstd::span<const EmbeddedFile> EmbeddedFiles() { return kFiles; }\n\n}  // namespace ashlar::base\n")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
