import { tryReadConfig } from '../../api/config.ts'
import { secretPartsOf, secretsOf } from '../../api/observability/secrets-of.ts'
import { listUnknownNames, type SettingProblem, SettingsError, tryReadSettings } from '../../settings/read-settings.ts'
import { type Program, programs, type Setting, type SettingsOf, table } from '../../settings/table.ts'
import { readIndexerSettings } from '../indexer/settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The settings of one program. */
export interface ReadProgram<P extends Program> {
  /**
   * True if the environment has all required settings of the program, or at least one setting that only this program
   * requires.
   */
  isSet: boolean
  values: Partial<SettingsOf<P>>
  problems: SettingProblem[]
  /**
   * Names in the program's environment that are unknown: no setting of this repository, no variable of the system, and
   * no variable of a tool.
   */
  unknownNames: string[]
}

export type ProgramSettings = { [P in Program]: ReadProgram<P> }

const settings: [string, Setting][] = Object.entries(table)

/** Reads the settings of every program, and applies the checks that each program applies at its start. */
export function readPrograms(environmentOf: (program: Program) => Environment): ProgramSettings {
  const read = <P extends Program>(program: P): ReadProgram<P> => {
    const environment = environmentOf(program)
    const { values, problems } = tryReadSettings(program, environment)
    return {
      isSet: isSet(program, environment),
      values,
      problems: findProblems(program, environment) ?? problems,
      unknownNames: listUnknownNames(environment),
    }
  }
  return Object.fromEntries(programs.map((program) => [program, read(program)])) as ProgramSettings
}

/**
 * Runs the start checks that a program makes in addition to the check against the settings table. Returns the problems
 * found. Returns undefined if the program makes no additional start checks.
 */
function findProblems(program: Program, environment: Environment): SettingProblem[] | undefined {
  if (program === 'api') return tryReadConfig(environment).problems
  if (program !== 'indexer') return undefined
  try {
    readIndexerSettings(environment)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return [...error.problems]
    throw error
  }
}

function isSet(program: Program, environment: Environment): boolean {
  const neededSettings = settings.filter(([, { neededBy = [] }]) => neededBy.includes(program))
  const has = ([name]: [string, Setting]) => Boolean(environment[name] || environment[`${name}_FILE`])
  return neededSettings.every(has) || neededSettings.some((each) => each[1].neededBy?.length === 1 && has(each))
}

/** Returns every secret value in the settings. The doctor removes these values from the output. */
export function listSecrets(
  programSettings: ProgramSettings,
  config: ReturnType<typeof tryReadConfig>['config'],
): string[] {
  const texts = Object.values(programSettings).flatMap(({ values }) =>
    Object.entries(values).flatMap(([name, value]) => {
      const { isSecret } = (table as Record<string, Setting>)[name] ?? {}
      return isSecret === true ? [value].flat().filter((text) => typeof text === 'string') : []
    }),
  )
  const parts = texts.flatMap((text) => (URL.canParse(text) ? secretPartsOf(text) : [text.replace(/^0x/, '')]))
  return [...new Set([...parts, ...secretsOf({ ...nothingSet, ...config })])].filter((part) => part !== '')
}

/** Empty values of the secret settings. They stand in for the settings that this machine does not have. */
const nothingSet = {
  DATABASE_URL: '',
  RELAYER_KEYS: [],
  RELAYER_SIGNERS: [],
  cloud: {},
  URL_SIGNING_SECRET: '',
  DEVICE_KEY_SECRET: [],
  RPC_URLS: [],
}
