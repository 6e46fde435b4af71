import type { Command } from 'commander'

/** Returns a bash script that completes the names of the tool's commands and options. */
export function completionScript(program: Command): string {
  const commands = listCommands(program, '')
  const pathPatterns = commands.flatMap(([path]) => (path === '' ? [] : [`'${path}'`]))
  const cases = commands.map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`)
  return [
    '_task_market() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the shell's.
    '  local path="" word words="" current="${COMP_WORDS[COMP_CWORD]}"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the shell's.
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    // Arguments and values of options do not belong to the path of a command.
    `    case "$path $word" in ${pathPatterns.join('|')}) path="$path $word" ;; esac`,
    '  done',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -F _task_market task-market',
    '',
  ].join('\n')
}

function listCommands(command: Command, path: string): [string, string[]][] {
  const names = command.commands.map((child) => child.name())
  const flags = command.options.map(({ long }) => long ?? '').filter((flag) => flag !== '')
  const below = command.commands.flatMap((child) => listCommands(child, `${path} ${child.name()}`))
  return [[path, [...names, ...flags]], ...below]
}
