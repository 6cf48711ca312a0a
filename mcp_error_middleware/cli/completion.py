"""Print what makes a shell complete this command.

Examples:
  source <(mcp-error-middleware completion bash)
  mcp-error-middleware completion zsh > ~/.zfunc/_mcp-error-middleware
  mcp-error-middleware completion fish | source
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import Final

_BASH: Final = """\
_mcp_error_middleware() {{
    local words word="${{COMP_WORDS[COMP_CWORD]}}"
    case "${{COMP_WORDS[1]}}" in
{cases}
    *) words="{commands}" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
}}
complete -F _mcp_error_middleware mcp-error-middleware
"""

_ZSH: Final = "#compdef mcp-error-middleware\nautoload -U +X bashcompinit && bashcompinit\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `completion` takes."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    words = _words()
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[arguments.shell](words), end="")
    return 0


def _words() -> dict[str, list[str]]:
    """Every command with its options, and the words it lets choose from."""
    from mcp_error_middleware.cli import COMMANDS

    words = {}
    for name, module in COMMANDS.items():
        parser = argparse.ArgumentParser()
        module.add_arguments(parser)
        words[name] = [word for action in parser._actions for word in _offered(action)]
    return words


def _offered(action: argparse.Action) -> Iterable[str]:
    if action.option_strings:
        return [] if action.help == argparse.SUPPRESS else [action.option_strings[-1]]
    return action.choices or []


def _bash(words: Mapping[str, list[str]]) -> str:
    cases = "\n".join(f'    {name}) words="{" ".join(options)}" ;;' for name, options in words.items())
    return _BASH.format(cases=cases, commands=" ".join([*words, "--help", "--version"]))


def _zsh(words: Mapping[str, list[str]]) -> str:
    return _ZSH + _bash(words)


def _fish(words: Mapping[str, list[str]]) -> str:
    start = "complete -c mcp-error-middleware"
    lines = [f"{start} -n __fish_use_subcommand -a {name}" for name in words]
    lines += [
        f"{start} -n '__fish_seen_subcommand_from {name}' {_fish_word(word)}"
        for name, offered in words.items()
        for word in offered
    ]
    return "\n".join(lines) + "\n"


def _fish_word(word: str) -> str:
    return f"-l {word[2:]}" if word.startswith("--") else f"-a {word}"
