# SDL without window systems, whose development packages need not be installed. The tests draw to
# textures, with SDL's video driver "offscreen".
set(SDL_X11 OFF CACHE BOOL "")
set(SDL_WAYLAND OFF CACHE BOOL "")
set(SDL_KMSDRM OFF CACHE BOOL "")
set(SDL_OPENGL OFF CACHE BOOL "")
set(SDL_OPENGLES OFF CACHE BOOL "")
set(SDL_DBUS OFF CACHE BOOL "")
set(SDL_IBUS OFF CACHE BOOL "")
set(SDL_LIBUDEV OFF CACHE BOOL "")
