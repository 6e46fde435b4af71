import { execFile } from 'node:child_process'

export interface ProgramEnd {
  /** Null: a signal ended it. */
  status: number | null
  stdout: string
  stderr: string
}

/**
 * Runs a program to its end. This process goes on meanwhile, so that it sees which of its connections servers close: after a
 * program that blocked it for seconds, the next request would go out on a closed one.
 * @param options.input for its standard input
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { input = '', ...options }: { input?: string; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { encoding: 'utf8', ...options }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code
      if (typeof code === 'string') reject(error)
      else resolve({ status: code ?? null, stdout, stderr })
    })
    child.stdin?.end(input)
  })
}
