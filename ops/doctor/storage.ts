import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { checkStorage } from '../../api/artifacts/storage/check-storage.ts'
import { openStorage, type StorageConfig } from '../../api/artifacts/storage/open-storage.ts'
import { createSignedUrls } from '../../api/artifacts/storage/signed-urls.ts'
import { defineCheck, type Observation } from './check.ts'
import { describeFailure } from './describe-failure.ts'

type Name = 'unusable' | 'unavailable' | 'unreachable' | 'clock' | 'clock_near'

/**
 * Difference, in seconds, between the clock of this machine and the clock of the bucket's server. If the difference is
 * at least this number, the check reports the fault `clock`. If the difference is above 15 minutes, S3 refuses
 * requests.
 */
const MOST_SKEW_SECONDS = 300
/**
 * Difference, in seconds, between the clock of this machine and the clock of the bucket's server. If the difference is
 * at least this number, the check reports the warning `clock_near`.
 */
const TOLD_SKEW_SECONDS = 30

/** The doctor check for the storage of artifact files. */
export const storageCheck = defineCheck<Name>({
  name: 'storage',
  looksAt:
    'the folder or the bucket of files: a small file is stored, looked up, copied, read and removed; the clock of the bucket',
  timeLimitMs: 20_000,
  faults: {
    unusable: {
      result: 'wrong',
      meaning: '... cannot be used for files',
      remedy: 'Correct what the finding names; docs/operate/storage.md has what a bucket needs.',
    },
    unavailable: {
      result: 'wrong',
      meaning: '... takes no files now',
      remedy: 'Make room, or repair the storage: everything but files works without it.',
    },
    unreachable: {
      result: 'wrong',
      meaning: '... gives no answer',
      remedy: 'Look at S3_ENDPOINT and at the network to it.',
    },
    clock: {
      result: 'wrong',
      meaning: '... has another time than this machine',
      remedy: 'Set the clock that is wrong (NTP): S3 refuses requests and upload URLs that are 15 minutes off.',
    },
    clock_near: {
      result: 'warning',
      meaning: '... has a somewhat different time than this machine',
      remedy: 'Set the clock that is wrong (NTP) before they are 15 minutes apart.',
    },
    no_answer: {
      result: 'wrong',
      meaning: 'the storage gave no answer',
      remedy: 'Look at its load and at the network to it.',
    },
  },
  find: async ({ config }) => {
    const { STORAGE, ARTIFACT_DIR, URL_SIGNING_SECRET, PUBLIC_BASE_URL, S3_ENDPOINT, S3_PREFIX = '' } = config ?? {}
    if (config === null || STORAGE === undefined || ARTIFACT_DIR === undefined)
      return [{ unchecked: 'no storage is set here' }]
    const settings: StorageConfig = { ...config, STORAGE, ARTIFACT_DIR, S3_PREFIX }
    const fault = await findFolderFault(resolve(ARTIFACT_DIR))
    if (fault !== null) return [{ fault: 'unusable', of: 'ARTIFACT_DIR', detail: fault }]
    const isMade = STORAGE === 's3' || (await canUse(ARTIFACT_DIR, constants.F_OK)) === null
    if (!isMade) return [{ unchecked: `${ARTIFACT_DIR}: the first start of the service makes this folder` }]
    if (STORAGE === 'local' && isOfAnother((await stat(ARTIFACT_DIR)).uid, process.geteuid?.())) {
      return [{ unchecked: `${ARTIFACT_DIR}: only its user may store files there; the service tries it at each start` }]
    }
    const links = createSignedUrls({ secret: URL_SIGNING_SECRET ?? '', publicBaseUrl: PUBLIC_BASE_URL ?? '' })
    const clock = STORAGE === 's3' && S3_ENDPOINT !== undefined ? await checkClock(S3_ENDPOINT) : []
    return [...clock, ...(await tryStorage(settings, links))]
  },
})

/**
 * Returns true if this process runs as root, but the files belong to another user. Folders that root creates would
 * belong to root, and the owner of the files could not write to them.
 */
export function isOfAnother(owner: number, user: number | undefined): boolean {
  return user === 0 && owner !== 0
}

async function tryStorage(
  settings: StorageConfig,
  links: ReturnType<typeof createSignedUrls>,
): Promise<Observation<Name>[]> {
  try {
    const storage = openStorage(settings, links)
    const failures: unknown[] = []
    // It removes only its own sample, because it may run beside the service.
    await checkStorage(
      { ...storage, tidy: async () => 0 },
      { info: () => {}, error: (facts: object) => void failures.push((facts as { err?: unknown }).err) },
    )
    if (failures.length > 0)
      return [{ fault: 'unavailable', of: storage.description, detail: describeFailure(failures[0]) }]
    return [{ ok: `${storage.description}: a file was stored, copied, read and removed` }]
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return [{ fault: 'unusable', of: 'STORAGE', detail }]
  }
}

/**
 * Compares the clock of the bucket's server with the clock of this machine.
 * @param skewSeconds the number of seconds by which the bucket's clock is ahead
 */
export function judgeClock(skewSeconds: number, endpoint: string): Observation<Name>[] {
  const distance = Math.abs(skewSeconds)
  const detail = `it is ${distance} s ${skewSeconds > 0 ? 'ahead' : 'behind'}`
  if (distance >= MOST_SKEW_SECONDS) return [{ fault: 'clock', of: endpoint, detail }]
  if (distance >= TOLD_SKEW_SECONDS) return [{ fault: 'clock_near', of: endpoint, detail }]
  return [{ ok: `${endpoint}: its clock is that of this machine` }]
}

/** Reads the clock of the bucket's server from the `Date` header of an answer. The answer may be a refusal. */
async function checkClock(endpoint: string): Promise<Observation<Name>[]> {
  try {
    const { headers } = await fetch(endpoint, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(5_000),
    })
    const time = Date.parse(headers.get('Date') ?? '')
    if (Number.isNaN(time)) return [{ unchecked: `${endpoint}: its answers have no time` }]
    return judgeClock(Math.round((time - Date.now()) / 1000), endpoint)
  } catch (error) {
    return [{ fault: 'unreachable', of: endpoint, detail: describeFailure(error) }]
  }
}

/** Returns the reason why the user of this process cannot write into a folder or create it; null if the user can. */
async function findFolderFault(path: string): Promise<string | null> {
  const reason = await canUse(path, constants.W_OK | constants.X_OK)
  const above = dirname(path)
  if (reason === null) return null
  if (reason === 'ENOENT' && above !== path) return findFolderFault(above)
  return `this user may not write into ${path} (${reason})`
}

/**
 * Tests access to a path.
 * @returns the error code of the refusal; null if access is allowed
 */
async function canUse(path: string, mode: number): Promise<string | null> {
  try {
    await access(path, mode)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}
