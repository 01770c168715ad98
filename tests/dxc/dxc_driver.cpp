// A command-line driver for libdxcompiler, which compiles HLSL to a DXIL container or to SPIR-V.
//
//   dxc FILE.hlsl -T PROFILE [-E ENTRY] [-Fo OUT] [-Fd OUT] [ARG…]
//       Compiles a file. All other arguments are passed on to the compiler, and so is -Fd, because
//       the container names the file with the debug information.
//   dxc -dumpbin FILE.dxil
//       Prints a container as text.
//   dxc -assemble FILE.ll -Fo OUT [-Vd]
//       Assembles such a text to a container, and validates that unless -Vd is given.
//
// Diagnostics go to stderr. The exit status is 0 if there is an output, 1 if the compiler refused
// the source, and 2 for wrong arguments. The library must be in the folder of this program. On
// Linux DXC's interfaces have two destructor slots after Release, which only its own headers
// declare. Compile this file with the headers that come with the library.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include "dxcapi.h"

namespace {

constexpr const char *kLibrary = "libdxcompiler.so";

[[noreturn]] void fail(int status, const std::string &message) {
    std::fprintf(stderr, "dxc: %s\n", message.c_str());
    std::exit(status);
}

std::string directory_of_this_program() {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0 || length == static_cast<ssize_t>(sizeof path)) fail(2, "cannot find my own path");
    const std::string full(path, static_cast<size_t>(length));
    return full.substr(0, full.rfind('/'));
}

std::string read_file(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) fail(2, "cannot read " + path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_output(const std::string &path, const void *data, size_t size) {
    std::ofstream out(path, std::ios::binary);
    out.write(static_cast<const char *>(data), static_cast<std::streamsize>(size));
    if (!out.flush()) fail(2, "cannot write " + path);
}

// Converts an argument to wide characters. All arguments are ASCII: paths and options of this
// repository.
std::wstring widen(const std::string &text) { return {text.begin(), text.end()}; }

template <class T>
T *create(DxcCreateInstanceProc create_instance, REFCLSID clsid) {
    void *object = nullptr;
    if (FAILED(create_instance(clsid, __uuidof(T), &object)) || !object) fail(2, "the library cannot create an object");
    return static_cast<T *>(object);
}

// The text output of this kind, or an empty text.
std::string text_of(IDxcResult *result, DXC_OUT_KIND kind) {
    void *text = nullptr;
    IDxcBlobUtf16 *name = nullptr;
    if (FAILED(result->GetOutput(kind, __uuidof(IDxcBlobUtf8), &text, &name)) || !text) return {};
    auto *blob = static_cast<IDxcBlobUtf8 *>(text);
    return {blob->GetStringPointer(), blob->GetStringLength()};
}

// The compiler's diagnostics, without its remark that the container is not signed. Our containers
// need no signature.
std::string diagnostics(IDxcResult *result) {
    const std::string remark = "warning: DXIL.dll not found.  Resulting DXIL will not be signed for use in release environments.\r\n";
    std::string text = text_of(result, DXC_OUT_ERRORS);
    for (size_t at; (at = text.find(remark)) != std::string::npos;) text.erase(at, remark.size());
    return text.find_first_not_of("\r\n") == std::string::npos ? std::string() : text;
}

IDxcBlob *blob_of(IDxcUtils *utils, const std::string &data) {
    IDxcBlobEncoding *blob = nullptr;
    if (FAILED(utils->CreateBlob(data.data(), static_cast<UINT32>(data.size()), DXC_CP_ACP, &blob)) || !blob) fail(2, "no memory for a blob");
    return blob;
}

// The result of an operation. If the operation failed, prints the library's message and exits.
IDxcBlob *checked(IDxcOperationResult *operation, const std::string &path) {
    HRESULT status = S_OK;
    IDxcBlobEncoding *errors = nullptr;
    IDxcBlob *result = nullptr;
    if (SUCCEEDED(operation->GetStatus(&status)) && SUCCEEDED(status)) {
        operation->GetResult(&result);
        return result;
    }
    std::string text = "refused";
    if (SUCCEEDED(operation->GetErrorBuffer(&errors)) && errors) text = {static_cast<const char *>(errors->GetBufferPointer()), errors->GetBufferSize()};
    fail(1, path + ": " + text.c_str());
}

// Assembles LLVM text in the form that `-dumpbin` prints to a container, and validates that, both
// with the library.
IDxcBlob *assemble(DxcCreateInstanceProc create_instance, IDxcUtils *utils, const std::string &path, bool validate) {
    IDxcOperationResult *operation = nullptr;
    auto *assembler = create<IDxcAssembler>(create_instance, CLSID_DxcAssembler);
    if (FAILED(assembler->AssembleToContainer(blob_of(utils, read_file(path)), &operation)) || !operation) fail(1, path + ": the assembler did not run");
    IDxcBlob *container = checked(operation, path);
    if (!container || container->GetBufferSize() == 0) fail(1, path + ": no output");
    if (validate) {
        auto *validator = create<IDxcValidator>(create_instance, CLSID_DxcValidator);
        operation = nullptr;
        if (FAILED(validator->Validate(container, DxcValidatorFlags_Default, &operation)) || !operation) fail(1, path + ": the validator did not run");
        checked(operation, path);
    }
    return container;
}

} // namespace

int main(int argc, char **argv) {
    std::string source_path, output_path, debug_path, dump_path, text_path;
    std::vector<std::wstring> arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "-Fo" && i + 1 < argc) {
            output_path = argv[++i];
        } else if (argument == "-Fd" && i + 1 < argc) {
            debug_path = argv[++i];
            arguments.push_back(L"-Fd");
            arguments.push_back(widen(debug_path));
        } else if (argument == "-dumpbin" && i + 1 < argc) {
            dump_path = argv[++i];
        } else if (argument == "-assemble" && i + 1 < argc) {
            text_path = argv[++i];
        } else if (source_path.empty() && argument.size() > 5 && argument.substr(argument.size() - 5) == ".hlsl") {
            source_path = argument;
            arguments.insert(arguments.begin(), widen(argument)); // names the source in diagnostics
        } else {
            arguments.push_back(widen(argument));
        }
    }
    if (!source_path.empty() + !dump_path.empty() + !text_path.empty() != 1)
        fail(2, "usage: dxc FILE.hlsl -T PROFILE [-E ENTRY] [-Fo OUT] [ARG…] | dxc -dumpbin FILE | dxc -assemble FILE -Fo OUT [-Vd]");

    const std::string library_path = directory_of_this_program() + "/" + kLibrary;
    void *library = dlopen(library_path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) fail(2, dlerror());
    auto create_instance = reinterpret_cast<DxcCreateInstanceProc>(dlsym(library, "DxcCreateInstance"));
    if (!create_instance) fail(2, dlerror());
    auto *utils = create<IDxcUtils>(create_instance, CLSID_DxcUtils);
    auto *compiler = create<IDxcCompiler3>(create_instance, CLSID_DxcCompiler);

    if (!text_path.empty()) {
        const bool validate = arguments.empty() || arguments[0] != L"-Vd";
        IDxcBlob *container = assemble(create_instance, utils, text_path, validate);
        if (!output_path.empty()) write_output(output_path, container->GetBufferPointer(), container->GetBufferSize());
        std::fflush(nullptr);
        _exit(0);
    }

    const std::string input = read_file(source_path.empty() ? dump_path : source_path);
    const DxcBuffer buffer{input.data(), input.size(), source_path.empty() ? 0u : static_cast<UINT>(DXC_CP_UTF8)};
    void *object = nullptr;
    if (!dump_path.empty()) {
        if (FAILED(compiler->Disassemble(&buffer, __uuidof(IDxcResult), &object)) || !object) fail(1, dump_path + ": the disassembler failed");
        std::fputs(text_of(static_cast<IDxcResult *>(object), DXC_OUT_DISASSEMBLY).c_str(), stdout);
        std::fflush(nullptr);
        _exit(0);
    }

    IDxcIncludeHandler *includes = nullptr;
    if (FAILED(utils->CreateDefaultIncludeHandler(&includes))) fail(2, "the library cannot create an include handler");
    std::vector<LPCWSTR> pointers;
    for (const std::wstring &argument : arguments) pointers.push_back(argument.c_str());
    if (FAILED(compiler->Compile(&buffer, pointers.data(), static_cast<UINT32>(pointers.size()), includes, __uuidof(IDxcResult), &object)) || !object)
        fail(2, source_path + ": the compiler did not run (wrong arguments?)");

    auto *result = static_cast<IDxcResult *>(object);
    std::fputs(diagnostics(result).c_str(), stderr);
    HRESULT status = S_OK;
    IDxcBlob *blob = nullptr;
    if (FAILED(result->GetStatus(&status)) || FAILED(status)) return 1;
    if (FAILED(result->GetResult(&blob)) || !blob || blob->GetBufferSize() == 0) fail(1, source_path + ": no output");
    if (!output_path.empty()) write_output(output_path, blob->GetBufferPointer(), blob->GetBufferSize());
    if (!debug_path.empty()) {
        IDxcBlobUtf16 *name = nullptr;
        if (FAILED(result->GetOutput(DXC_OUT_PDB, __uuidof(IDxcBlob), &object, &name)) || !object) fail(1, source_path + ": no debug information");
        auto *debug = static_cast<IDxcBlob *>(object);
        write_output(debug_path, debug->GetBufferPointer(), debug->GetBufferSize());
    }
    std::fflush(nullptr);
    // _exit skips the library's destructors, which are slow and not needed here.
    _exit(0);
}
