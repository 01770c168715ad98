"""Steps a thread of a captured fixture by RenderDoc, and compares what it shows with what ran.

usage: step.py CAPTURE.rdc SOURCE.hlsl

The source says what is compared:

- `// step thread T; words from W: a b.x …` names the thread, and variables whose last values are the
  words that the thread has written to the output, the first of them at word W.
- Its buffers and groupshared variables have their names.
- `// xN` at the end of a line: the thread comes to the line N times. `// never`: it does not.

RenderDoc interprets the module that the layer made, and takes lines and variables from its debug
information. The output is that of the driver, which runs the same module. The exit status is 1 if
something differs.
"""

import re
import struct
import sys

import renderdoc as rd


def expectations(source):
    """The thread, the first word, the names of variables and globals, and how often lines are reached."""
    text = open(source, encoding="utf-8").read()
    thread, word, names = re.search(r"^// step thread (\d+); words from (\d+): (.*)$", text, re.M).groups()
    visits = {}
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.search(r"// (?:x(\d+)|never)$", line)
        if mark:
            visits[number] = int(mark.group(1) or 0)
    outside = re.findall(r"^(?:(?:RW)?ByteAddressBuffer|groupshared \w+) (\w+)", text, re.M)
    return int(thread), int(word), names.split(), outside, visits


def bits(value, component, kind):
    """A component of a value as a word."""
    if kind == rd.VarType.Float:
        return struct.unpack("<I", struct.pack("<f", value.value.f32v[component]))[0]
    if kind == rd.VarType.Half:
        return struct.unpack("<H", struct.pack("<e", value.value.f32v[component]))[0]
    return value.value.u32v[component]


def named(name, value):
    """The numbers of a variable with their names."""
    for member in value.members:
        yield from named(name + (member.name if member.name.startswith("[") else "." + member.name), member)
    count = value.rows * value.columns
    for n in range(0 if value.members else count):
        yield name + ("." + "xyzw"[n] if count > 1 else ""), bits(value, n, value.type)


def stepped(controller, thread):
    """The lines that a thread comes to, all values that its variables have, and the names of globals."""
    trace = controller.DebugThread((0, 0, 0), (thread, 0, 0))
    if trace.debugger is None:
        sys.exit("RenderDoc cannot debug the shader")
    infos = sorted(trace.instInfo, key=lambda info: info.instruction)
    info_of = {}
    known, lines, values = {}, [], {}
    for variable in [*trace.inputs, *trace.constantBlocks]:
        known[variable.name] = variable
    while states := controller.ContinueDebug(trace.debugger):
        for state in states:
            for change in state.changes:
                known[change.after.name] = change.after
            at = state.nextInstruction
            if at not in info_of:
                info_of[at] = max((i for i in infos if i.instruction <= at), key=lambda i: i.instruction, default=None)
            info = info_of[at]
            if info is None:
                continue
            function = state.callstack[-1] if state.callstack else ""
            place = (function, len(state.callstack), info.lineInfo.lineStart)
            if info.lineInfo.lineStart and (not lines or lines[-1] != place):
                lines.append(place)
            for source in info.sourceVars:
                for n, reference in enumerate(source.variables):
                    value = known.get(reference.name)
                    if value is None:
                        continue
                    name = source.name
                    if value.members:
                        for part, word in named(name, value):
                            values.setdefault(part, []).append(word)
                        continue
                    if len(source.variables) > 1 and source.rows * source.columns > 1:
                        name += "." + "xyzw"[n]
                    values.setdefault(name, []).append(bits(value, reference.component, source.type))
    outside = {variable.name for variable in trace.sourceVars}
    controller.FreeTrace(trace)
    return lines, values, outside


def main(capture, source):
    thread, first, names, declared, visits = expectations(source)
    file = rd.OpenCaptureFile()
    file.OpenFile(capture, "", None)
    result, controller = file.OpenCapture(rd.ReplayOptions(), None)
    if controller is None:
        sys.exit(f"RenderDoc cannot replay {capture}: {result}")
    dispatch = [action for action in controller.GetRootActions() if action.flags & rd.ActionFlags.Dispatch][-1]
    controller.SetFrameEvent(dispatch.eventId, True)
    pipeline = controller.GetPipelineState()
    written = [b for group in pipeline.GetReadWriteResources(rd.ShaderStage.Compute) for b in group.resources]
    lines, values, outside = stepped(controller, thread)
    output = controller.GetBufferData(written[-1].resourceId, 0, 0)
    faults = [f"{name} is not among {sorted(outside)}" for name in declared if name not in outside]
    for n, name in enumerate(names, first):
        (word,) = struct.unpack_from("<I", output, n * 4)
        seen = values.get(name)
        if not seen:
            faults.append(f"variable {name} has no value; these have: {' '.join(sorted(values))}")
        elif seen[-1] != word:
            faults.append(f"variable {name} ends as {seen[-1]:#x}, and the driver wrote {word:#x}")
    for line, count in visits.items():
        came = sum(1 for _, _, at in lines if at == line)
        if came != count:
            faults.append(f"line {line} is reached {came} times, not {count}")
    if faults:
        print("lines:", " ".join(f"{function}:{line}" for function, _, line in lines))
        sys.exit("\n".join(faults))
    print(f"{len(lines)} steps, {len({line for _, _, line in lines})} lines, {len(values)} variables")


main(*sys.argv[1:])
