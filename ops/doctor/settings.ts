import { findLocalSettings } from '../../api/config.ts'
import { readPolicies } from '../../api/features/legal/open-legal.ts'
import type { SettingProblem } from '../../settings/read-settings.ts'
import { type Program, programs } from '../../settings/table.ts'
import { defineCheck, type Observation } from './check.ts'
import { describeFailure } from './describe-failure.ts'
import type { DoctorContext } from './open-context.ts'
import type { ProgramSettings } from './read-programs.ts'

type Name = 'refused' | 'none' | 'unknown_names' | 'file'

/** The doctor check that compares each program's settings with `settings/table.ts`. */
export const settingsCheck = defineCheck<Name>({
  name: 'settings',
  looksAt: 'every setting of each program that is set up here, the deployment file and the policies that they name',
  faults: {
    refused: {
      result: 'wrong',
      meaning: '... is refused at a start',
      remedy: 'Correct it: docs/operate/settings.md has its meaning.',
    },
    none: {
      result: 'wrong',
      meaning: 'no program can be started with this environment',
      remedy:
        'Run doctor with the environment of a program: set -a && . ops/environment/api.env && npm run doctor. .env.example has all settings.',
    },
    unknown_names: {
      result: 'warning',
      meaning: 'these names of the environment are no settings',
      remedy: 'Look whether a setting is misspelt: docs/operate/settings.md has all of them.',
    },
    file: {
      result: 'wrong',
      meaning: '... names files that a start refuses',
      remedy: 'Correct the file, or the setting that names it.',
    },
    no_answer: {
      result: 'wrong',
      meaning: 'the files of the settings could not be read',
      remedy: 'Look at the disk that they are on.',
    },
  },
  find: async (context) => [...judgeSettings(context.programs), ...(await checkFiles(context))],
})

/**
 * Reports the wrong settings of all programs. A program without settings is assumed to run on another machine, and is
 * not reported.
 */
export function judgeSettings(programSettings: ProgramSettings): Observation<Name>[] {
  const setPrograms = programs.filter((program) => programSettings[program].isSet)
  const others = programs.filter((program) => !programSettings[program].isSet)
  // The web process starts with defaults alone.
  if (setPrograms.every((program) => program === 'web')) return [{ fault: 'none' }]
  const problems = new Map<string, { problem: SettingProblem; refusedBy: Program[] }>()
  for (const program of setPrograms) {
    for (const problem of programSettings[program].problems) {
      const key = `${problem.setting} ${problem.problem}`
      const { refusedBy } = problems.get(key) ?? { refusedBy: [] }
      problems.set(key, { problem, refusedBy: [...refusedBy, program] })
    }
  }
  const refusedSettings = new Set([...problems.values()].map(({ problem }) => problem.setting))
  const unknownNames = [...new Set(setPrograms.flatMap((program) => programSettings[program].unknownNames))].filter(
    (name) => !refusedSettings.has(name),
  )
  const readablePrograms = setPrograms.filter((program) => programSettings[program].problems.length === 0)
  return [
    ...(readablePrograms.length === 0 ? [] : [{ ok: `${readablePrograms.join(', ')}: every setting can be read` }]),
    ...[...problems.values()].map(
      ({ problem: { setting, problem }, refusedBy }): Observation<Name> => ({
        fault: 'refused',
        of: setting,
        detail: `it ${problem} (${refusedBy.join(', ')})`,
      }),
    ),
    ...(others.length === 0 ? [] : [{ unchecked: `${others.join(', ')}: not set up here` }]),
    ...(unknownNames.length === 0 ? [] : [{ fault: 'unknown_names' as const, detail: unknownNames.join(', ') }]),
  ]
}

async function checkFiles({ config, readDeployment }: DoctorContext): Promise<Observation<Name>[]> {
  const observations: Observation<Name>[] = []
  const fail = (of: string) => (error: unknown) => {
    observations.push({ fault: 'file', of, detail: describeFailure(error) })
    return null
  }
  const deployment = await readDeployment().catch(fail('DEPLOYMENT_FILE'))
  if (deployment !== null && config !== null) {
    for (const { setting, problem } of findLocalSettings(config, deployment)) {
      observations.push({ fault: 'refused', of: setting, detail: `it ${problem} (api)` })
    }
  }
  const { LEGAL_DIRECTORY, LEGAL_ENFORCEMENT = false } = config ?? {}
  if (LEGAL_DIRECTORY !== undefined)
    await readPolicies({ LEGAL_DIRECTORY, LEGAL_ENFORCEMENT }).catch(fail('LEGAL_DIRECTORY'))
  return observations
}
