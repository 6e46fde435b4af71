import { readFileSync } from 'node:fs'
import { findNearName, isForeignName } from './names.ts'
import { type Program, type Setting, type SettingsOf, table } from './table.ts'

/** A problem with a setting. It does not contain the setting's value, which may be secret. */
export interface SettingProblem {
  setting: string
  problem: string
}

/** Thrown when settings prevent the start of a program. Contains all problems. */
export class SettingsError extends Error {
  override name = 'SettingsError'
  readonly problems: readonly SettingProblem[]

  constructor(problems: readonly SettingProblem[], options?: ErrorOptions) {
    super(problems.map(({ setting, problem }) => `${setting}: ${problem}`).join('; '), options)
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const settings: [string, Setting][] = Object.entries(table)

/** The valid settings of a program, and the problems with the other settings. */
export interface SettingsReading<P extends Program> {
  values: Partial<SettingsOf<P>>
  problems: SettingProblem[]
}

/**
 * A function that finds problems in the combination of several settings.
 * @param isMissing reports whether a setting is absent or empty; returns false for a setting that is already reported
 * as invalid
 */
type FindProblems<P extends Program> = (
  settings: Partial<SettingsOf<P>>,
  isMissing: (name: keyof SettingsOf<P>) => boolean,
) => SettingProblem[]

/**
 * Reads the settings of a program from the environment. An empty variable counts as absent. For a secret, the variable
 * `<name>_FILE` may name a file that contains the value.
 * @throws SettingsError with all problems, including misspelt setting names
 * @example const { DATABASE_URL } = readSettings('indexer', process.env)
 */
export function readSettings<P extends Program>(
  program: P,
  environment: Environment,
  findProblems?: FindProblems<P>,
): SettingsOf<P> {
  const { values, problems } = tryReadSettings(program, environment, findProblems)
  if (problems.length > 0) throw new SettingsError(problems)
  return values as SettingsOf<P>
}

/**
 * Reads the settings in the same way as `readSettings`. Returns the problems together with the valid values instead of
 * throwing.
 */
export function tryReadSettings<P extends Program>(
  program: P,
  environment: Environment,
  findProblems: FindProblems<P> = () => [],
): SettingsReading<P> {
  const problems: SettingProblem[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of settings) {
    if (!setting.readBy.includes(program)) continue
    const textOrProblem = readText(name, setting, environment)
    if (typeof textOrProblem === 'object') {
      problems.push(textOrProblem)
      continue
    }
    const text = textOrProblem ?? setting.default
    if (text === undefined) {
      if (setting.neededBy?.includes(program))
        problems.push({ setting: name, problem: `is needed: ${setting.meaning}` })
      continue
    }
    const { success, data, error } = setting.schema.safeParse(text)
    if (success) values[name] = data
    else {
      const message = error.issues[0]?.message ?? 'is wrong'
      problems.push({ setting: name, problem: `${message}${explainServiceLink(text)}` })
    }
  }
  const wrong = problems.map(({ setting }) => setting.replace(/_FILE$/, ''))
  const isMissing = (name: keyof SettingsOf<P>) => values[String(name)] === undefined && !wrong.includes(String(name))
  problems.push(...findProblems(values as Partial<SettingsOf<P>>, isMissing), ...findMisspelt(environment))
  return { values: values as Partial<SettingsOf<P>>, problems }
}

/** Lists the names in the environment that are not settings, and that no known system or tool sets. */
export function listUnknownNames(environment: Environment): string[] {
  return Object.entries(environment).flatMap(([name, value]) => (isOther(name, value) ? [name] : []))
}

function readText(name: string, { isSecret }: Setting, environment: Environment): string | undefined | SettingProblem {
  const text = environment[name] || undefined
  const file = isSecret ? environment[`${name}_FILE`] || undefined : undefined
  if (file === undefined) return text
  if (text !== undefined) return { setting: name, problem: `is set, and ${name}_FILE too: set one of them` }
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF|\r?\n$/g, '') || undefined
  } catch (error) {
    return { setting: `${name}_FILE`, problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}

function findMisspelt(environment: Environment): SettingProblem[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!isOther(name, value)) return []
    const [, ofFile = ''] = /^(.+)_FILE$/.exec(name) ?? []
    if (ofFile in table) {
      return [{ setting: name, problem: `is no setting; only secrets may be in files, so set ${ofFile}` }]
    }
    const meant = findNearName(name, knownNames)
    return meant === null ? [] : [{ setting: name, problem: `is no setting; ${meant} is` }]
  })
}

const knownNames = settings.flatMap(([name, { isSecret }]) => (isSecret ? [name, `${name}_FILE`] : [name]))

/** Matches the URL that Kubernetes stores in the variable `<SERVICE>_PORT` for each service of the namespace. */
const serviceLink = /^(tcp|udp|sctp):\/\//

/** Reports whether a name is not a setting, and no known system or tool sets it. */
function isOther(name: string, value = ''): boolean {
  return !knownNames.includes(name) && !isForeignName(name) && !serviceLink.test(value)
}

function explainServiceLink(text: string): string {
  return serviceLink.test(text) ? '; Kubernetes set this one for a service: turn off enableServiceLinks' : ''
}
