import { type SettingProblem, SettingsError } from './read-settings.ts'

/** The reason why a program did not start, as its last log line reports it. */
export interface StartRefusal {
  /** The first invalid setting; null: no setting is the reason. */
  setting: string | null
  problem: string
  /** All invalid settings, when there are several. */
  problems?: readonly SettingProblem[]
}

/**
 * Runs a check of the resource that a setting names, at the start of a program.
 * @throws SettingsError with the setting and the reason of the check
 * @example await checkSetting('DATABASE_URL', () => checkPostgres(url))
 */
export async function checkSetting<T>(setting: string, check: () => Promise<T> | T): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof SettingsError) throw error
    throw new SettingsError([{ setting, problem: reasonOf(error) }], { cause: error })
  }
}

/**
 * Returns the error of a failed listener with its setting: the address when this machine does not have it, else the port.
 * @example describeListenError(error, { host: 'WEB_HOST', port: 'WEB_PORT' })
 */
export function describeListenError(error: unknown, { host, port }: { host: string; port: string }): SettingsError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isAddress = ['EADDRNOTAVAIL', 'EAI_AGAIN', 'ENOTFOUND'].includes(String(code))
  return new SettingsError([{ setting: isAddress ? host : port, problem: reasonOf(error) }], { cause: error })
}

/** Describes why a program did not start, by setting where a setting is the reason. */
export function describeRefusal(error: unknown): StartRefusal {
  if (!(error instanceof SettingsError)) return { setting: null, problem: reasonOf(error) }
  const [first] = error.problems
  return {
    setting: first?.setting ?? null,
    problem: first?.problem ?? error.message,
    ...(error.problems.length > 1 && { problems: error.problems }),
  }
}

/**
 * Returns the sentence of an error. Errors with several causes, such as refused addresses of one host, have a code and no
 * message.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  // The full message of a viem error contains the URL of the node.
  if ('shortMessage' in error) return `${error.shortMessage}${'details' in error ? ` ${error.details}` : ''}`
  if (error.message !== '') return error.message
  return first === undefined ? error.name : reasonOf(first)
}
