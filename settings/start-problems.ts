import { type SettingProblem, SettingsError } from './read-settings.ts'

/** The reason why a program did not start, in the form in which the program's last log line states it. */
export interface StartRefusal {
  /** The first invalid setting; null if the reason is not a setting. */
  setting: string | null
  problem: string
  /** All invalid settings; present only if there are several. */
  problems?: readonly SettingProblem[]
}

/**
 * Runs a check when a program starts. The check tests the resource that a setting names.
 * @throws SettingsError with the setting and the reason why the check failed
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
 * Converts the error of a server that could not listen to a SettingsError. The SettingsError names the setting `host`
 * if this machine does not have the address, else the setting `port`.
 * @example describeListenError(error, { host: 'WEB_HOST', port: 'WEB_PORT' })
 */
export function describeListenError(error: unknown, { host, port }: { host: string; port: string }): SettingsError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isAddress = ['EADDRNOTAVAIL', 'EAI_AGAIN', 'ENOTFOUND'].includes(String(code))
  return new SettingsError([{ setting: isAddress ? host : port, problem: reasonOf(error) }], { cause: error })
}

/** Describes why a program did not start. If settings are the reason, names the invalid settings. */
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
 * Returns the message of an error. An error with several causes, such as one refused connection for each address of a
 * host, has no message of its own. In that case, returns the message of its first cause.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  // The full message of a viem error contains the URL of the node.
  if ('shortMessage' in error) return `${error.shortMessage}${'details' in error ? ` ${error.details}` : ''}`
  if (error.message !== '') return error.message
  return first === undefined ? error.name : reasonOf(first)
}
