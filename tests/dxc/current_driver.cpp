// A command-line driver for the Windows build of DXC, which Wine runs.
//
//   dxc.exe FILE.hlsl -T PROFILE [-E ENTRY] -Fo OUT [ARG…]
//
// All other arguments are passed on to the compiler. Absolute paths of Unix are those of Wine's drive
// Z:. Diagnostics go to stderr. The exit status is 0 if an output was written, 1 if the compiler
// refused the source, and 2 for wrong arguments. dxcompiler.dll and dxil.dll, which signs
// containers, must be in the folder of this program.
#include <windows.h>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

// Annotations of Microsoft's compiler, which the header uses.
#define _Maybenull_
#define __in_ecount(x)
#include "dxcapi.h"

// Class and interface identifiers of dxcapi.h, which MinGW does not take from the header.
static const GUID utils_class = {0x6245d6af, 0x66e0, 0x48fd, {0x80, 0xb4, 0x4d, 0x27, 0x17, 0x96, 0x74, 0x8c}};
static const GUID utils_id = {0x4605c4cb, 0x2019, 0x492a, {0xad, 0xa4, 0x65, 0xf2, 0x0b, 0xb7, 0xd6, 0x7f}};
static const GUID compiler_class = {0x73e22d93, 0xe6ce, 0x47f3, {0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0}};
static const GUID compiler_id = {0x228b4687, 0x5a6a, 0x4730, {0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54}};
static const GUID result_id = {0x58346cda, 0xdde7, 0x4497, {0x94, 0x61, 0x6f, 0x87, 0xaf, 0x5e, 0x06, 0x59}};

static std::wstring windows_path(const std::wstring &path) {
    return !path.empty() && path[0] == L'/' ? L"Z:" + path : path;
}

static int fail(const char *text) {
    fprintf(stderr, "dxc: %s\n", text);
    return 2;
}

int wmain(int argc, wchar_t **argv) {
    std::vector<std::wstring> passed;
    std::wstring input, output;
    for (int i = 1; i < argc; i++) {
        std::wstring argument = argv[i];
        bool has_next = i + 1 < argc;
        if (argument == L"-Fo" && has_next) {
            output = windows_path(argv[++i]);
        } else if (argument == L"-I" && has_next) {
            passed.push_back(argument);
            passed.push_back(windows_path(argv[++i]));
        } else {
            if (i == 1) input = windows_path(argument);
            passed.push_back(windows_path(argument));
        }
    }
    if (input.empty() || output.empty()) return fail("expected FILE.hlsl first, and -Fo OUT");

    HMODULE library = LoadLibraryW(L"dxcompiler.dll");
    auto create = library ? (DxcCreateInstanceProc)GetProcAddress(library, "DxcCreateInstance") : nullptr;
    IDxcUtils *utils = nullptr;
    IDxcCompiler3 *compiler = nullptr;
    if (!create || FAILED(create(utils_class, utils_id, (void **)&utils)) ||
        FAILED(create(compiler_class, compiler_id, (void **)&compiler)))
        return fail("dxcompiler.dll cannot be used");
    IDxcIncludeHandler *includes = nullptr;
    IDxcBlobEncoding *source = nullptr;
    if (FAILED(utils->CreateDefaultIncludeHandler(&includes)) || FAILED(utils->LoadFile(input.c_str(), nullptr, &source)))
        return fail("the source cannot be read");

    std::vector<LPCWSTR> arguments;
    for (auto &argument : passed) arguments.push_back(argument.c_str());
    DxcBuffer buffer{source->GetBufferPointer(), source->GetBufferSize(), 0};
    IDxcResult *result = nullptr;
    if (FAILED(compiler->Compile(&buffer, arguments.data(), (UINT32)arguments.size(), includes, result_id, (void **)&result)))
        return fail("the compiler cannot be called");
    IDxcBlobEncoding *messages = nullptr;
    if (SUCCEEDED(result->GetErrorBuffer(&messages)) && messages && messages->GetBufferSize())
        fwrite(messages->GetBufferPointer(), 1, strlen((char *)messages->GetBufferPointer()), stderr);
    HRESULT status = E_FAIL;
    IDxcBlob *object = nullptr;
    if (FAILED(result->GetStatus(&status)) || FAILED(status) || FAILED(result->GetResult(&object)) || !object) return 1;

    FILE *file = _wfopen(output.c_str(), L"wb");
    if (!file) return fail("the output cannot be written");
    bool written = fwrite(object->GetBufferPointer(), 1, object->GetBufferSize(), file) == object->GetBufferSize();
    return fclose(file) == 0 && written ? 0 : fail("the output cannot be written");
}
