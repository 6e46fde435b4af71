import type { ErrorCode } from './request-error.ts'

/** Why an argument is refused before any statement. */
export interface ArgumentProblem {
  code: ErrorCode & ('LIMIT_EXCEEDED' | 'BAD_USER_INPUT')
  /** A sentence for the client. */
  message: string
}

/** More than an operation may ask for. */
export function overLimit(message: string): ArgumentProblem {
  return { code: 'LIMIT_EXCEEDED', message }
}

/** A value that cannot be used, of whatever size. */
export function unusable(message: string): ArgumentProblem {
  return { code: 'BAD_USER_INPUT', message }
}

/** The first problem of several checks; null when there is none. */
export function firstProblem(problems: readonly (ArgumentProblem | null)[]): ArgumentProblem | null {
  return problems.find((problem) => problem !== null) ?? null
}
