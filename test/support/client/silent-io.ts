import type { Io } from '../../../client/src/cli/io.ts'
import { runCli } from '../../../client/src/cli/program.ts'

export interface CliRun {
  exit: number
  out: string
  err: string
}

/** A machine without a terminal, whose output is read by no one unless told. */
export function silentIo(changes: Partial<Io>): Io {
  return {
    env: {},
    isTerminal: false,
    width: 120,
    ask: async () => null,
    out: () => {},
    err: () => {},
    ...changes,
  }
}

/** Runs the command line tool in this process, without a terminal unless told. */
export async function runTool(
  argv: readonly string[],
  { env = {}, ...changes }: Partial<Pick<Io, 'env' | 'isTerminal' | 'ask' | 'width' | 'keystoreTerms'>> = {},
): Promise<CliRun> {
  const run: CliRun = { exit: 0, out: '', err: '' }
  const io = silentIo({
    env,
    out: (text) => {
      run.out += text
    },
    err: (text) => {
      run.err += text
    },
    ...changes,
  })
  run.exit = await runCli(argv, io)
  return run
}

/** The words of a command line of this project: no quotes, no shell. */
export function wordsOf(line: string): string[] {
  return line.split(' ').filter((word) => word !== '')
}
