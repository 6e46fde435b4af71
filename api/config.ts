import { join } from 'node:path'
import { z } from 'zod'
import { type CloudEnvironment, readCloudEnvironment } from '../settings/cloud-environment.ts'
import { type SettingProblem, SettingsError, tryReadSettings } from '../settings/read-settings.ts'
import type { SignerPlace } from '../settings/signer-urls.ts'
import type { SettingsOf } from '../settings/table.ts'
import { type Constants, constantsOf } from './constants.ts'

/**
 * The schema of LOCAL_CONSTANTS: a JSON object with other values for some of the constants. Each value is a number or a
 * text of digits. Texts allow large amounts in wei.
 */
const replacements = z
  .strictObject(
    Object.fromEntries(
      Object.entries(constantsOf(1)).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? z.coerce.bigint().min(0n) : z.coerce.number().min(0),
      ]),
    ),
  )
  .partial()
  .transform((values) => values as Partial<Constants>)

export type Config = Omit<SettingsOf<'api'>, 'RPC_URL' | 'LOCAL_CONSTANTS' | 'RELAYER_KEYS' | 'RELAYER_SIGNERS'> &
  Constants & {
    RPC_URLS: string[]
    RELAYER_KEYS: string[]
    RELAYER_SIGNERS: SignerPlace[]
    /**
     * The cloud identity of this process. If the relayer keys are in a key management service (KMS), the cloud provider
     * lets only this identity use the keys.
     */
    cloud: CloudEnvironment
    /**
     * The folder for files that arrived in JSON bodies, until their request is answered. It is on the same disk as the
     * stored files.
     */
    SPOOL_DIR: string
    /** The names of those settings that are set but are allowed only on a local chain. */
    localSettings: string[]
  }

const neededForS3 = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/**
 * Reads the service's settings. No other function reads the environment. Example: `readConfig(process.env).PORT`.
 * @throws SettingsError with every problem
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const { config, problems } = tryReadConfig(env)
  if (problems.length > 0) throw new SettingsError(problems)
  return config as Config
}

/** Reads the settings like `readConfig`. It returns the valid settings and the problems, and does not throw. */
export function tryReadConfig(env: Record<string, string | undefined>): {
  config: Constants & Partial<Config>
  problems: SettingProblem[]
} {
  let constants: Partial<Constants> = {}
  const { values, problems } = tryReadSettings('api', env, (settings, isMissing) => {
    const missingForS3 = settings.STORAGE === 's3' ? neededForS3.filter(isMissing) : []
    const hasRelayer = !isMissing('RELAYER_KEYS') || !isMissing('RELAYER_SIGNERS')
    const parsedConstants = readConstants(settings.LOCAL_CONSTANTS)
    if ('constants' in parsedConstants) constants = parsedConstants.constants
    const lacksSecret = settings.OPERATOR_WEBHOOK_URL !== undefined && isMissing('OPERATOR_WEBHOOK_SECRET')
    const problem = 'is needed with OPERATOR_WEBHOOK_URL'
    return [
      ...(lacksSecret ? [{ setting: 'OPERATOR_WEBHOOK_SECRET', problem }] : []),
      ...missingForS3.map((setting) => ({ setting, problem: 'is needed with STORAGE=s3' })),
      ...(hasRelayer
        ? []
        : [{ setting: 'RELAYER_KEYS', problem: 'is needed, or RELAYER_SIGNERS: keys that relay writes' }]),
      ...('problem' in parsedConstants ? [{ setting: 'LOCAL_CONSTANTS', problem: parsedConstants.problem }] : []),
    ]
  })
  const { RPC_URL, LOCAL_CONSTANTS, ...set } = values
  const config = {
    ...constantsOf(set.QUOTAS ?? 1),
    ...constants,
    ...set,
    RELAYER_KEYS: set.RELAYER_KEYS ?? [],
    RELAYER_SIGNERS: set.RELAYER_SIGNERS ?? [],
    cloud: readCloudEnvironment(env),
    ...(RPC_URL !== undefined && { RPC_URLS: RPC_URL }),
    ...(set.ARTIFACT_DIR !== undefined && { SPOOL_DIR: join(set.ARTIFACT_DIR, 'spool') }),
    localSettings: [
      ...(LOCAL_CONSTANTS === undefined ? [] : ['LOCAL_CONSTANTS']),
      ...(set.FAILPOINT === undefined ? [] : ['FAILPOINT']),
    ],
  }
  return { config, problems }
}

/**
 * Finds settings that are allowed only on a local chain. If the deployment is not on a local chain, returns one problem
 * for each of these settings that is set.
 */
export function findLocalSettings(
  { localSettings = [], DEPLOYMENT_FILE }: Partial<Pick<Config, 'localSettings' | 'DEPLOYMENT_FILE'>>,
  deployment: { local: boolean },
): SettingProblem[] {
  if (deployment.local) return []
  const problem = `is only for a chain of this machine; ${DEPLOYMENT_FILE} is of another`
  return localSettings.map((setting) => ({ setting, problem }))
}

function readConstants(text = '{}'): { constants: Partial<Constants> } | { problem: string } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { problem: 'must be JSON' }
  }
  const { success, data, error } = replacements.safeParse(json)
  if (success) return { constants: data }
  const [issue] = error.issues
  return { problem: [...(issue?.path ?? []), issue?.message ?? 'is wrong'].join(': ') }
}
