import { type SettingProblem, SettingsError } from './read-settings.ts'

/** A program that could not start, as its last line of log says it. */
export interface StartRefusal {
  /** The first of them; null: the reason is no setting. */
  setting: string | null
  problem: string
  /** All settings that are wrong, when there are several. */
  problems?: readonly SettingProblem[]
}

/**
 * Runs a check of what a setting names, as a part of a program's start.
 *
 *   await checkSetting('DATABASE_URL', () => checkPostgres(url))
 *
 * @throws SettingsError with the setting and the reason of the check
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
 * Names the setting for which a listener failed: that of its address where this machine does not have it, else that of its port.
 *
 *   describeListenError(error, { host: 'WEB_HOST', port: 'WEB_PORT' })
 */
export function describeListenError(error: unknown, { host, port }: { host: string; port: string }): SettingsError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isAddress = ['EADDRNOTAVAIL', 'EAI_AGAIN', 'ENOTFOUND'].includes(String(code))
  return new SettingsError([{ setting: isAddress ? host : port, problem: reasonOf(error) }], { cause: error })
}

/** Describes why a program did not start: by setting where the reason is one. */
export function describeRefusal(error: unknown): StartRefusal {
  if (!(error instanceof SettingsError)) return { setting: null, problem: reasonOf(error) }
  const [first] = error.problems
  return {
    setting: first?.setting ?? null,
    problem: first?.problem ?? error.message,
    ...(error.problems.length > 1 && { problems: error.problems }),
  }
}

/** A sentence, also of the errors that carry a code and no message (several addresses of one host refused). */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  // Of viem, whose message is a page with the URL of the node.
  if ('shortMessage' in error) return `${error.shortMessage}${'details' in error ? ` ${error.details}` : ''}`
  if (error.message !== '') return error.message
  return first === undefined ? error.name : reasonOf(first)
}
