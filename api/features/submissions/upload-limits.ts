import {
  findLackOfRoom,
  insertUpload,
  type LackOfRoom,
  lockUploadsOf,
  type NewUpload,
  type UploadQuota,
} from '../../artifacts/uploads.queries.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'

/** How many workers' worth of uploads one client may have: it can have any number of wallets. */
const WORKERS_OF_A_CLIENT = 5

/**
 * Records an upload under a lock, before its URL is answered. Its limits are of a
 * worker and a client: the signature that asks for it stands on chain after the worker's first submission, and a
 * stranger who sends it again must not use up what is the worker's.
 * @returns until when the URL takes the bytes, Unix seconds
 * @throws ServiceError 429
 */
export async function noteUpload({ sql, config }: Pick<Deps, 'sql' | 'config'>, upload: NewUpload): Promise<number> {
  const { client, worker, sizeBytes } = upload
  const own = { open: config.UPLOADS_OPEN, bytesPerDay: config.UPLOAD_BYTES_PER_DAY }
  const all = { open: own.open * WORKERS_OF_A_CLIENT, bytesPerDay: own.bytesPerDay * WORKERS_OF_A_CLIENT }
  return await sql.begin(async (tx) => {
    await lockUploadsOf(tx, client)
    const ofWorker = await findLackOfRoom(tx, { client, worker }, { ...own, sizeBytes })
    if (ofWorker !== null) throw tooMany('This worker', own, ofWorker)
    const ofClient = await findLackOfRoom(tx, { client }, { ...all, sizeBytes })
    if (ofClient !== null) throw tooMany('This client', all, ofClient)
    return await insertUpload(tx, upload, config.UPLOAD_URL_SECONDS)
  })
}

function tooMany(who: string, { open, bytesPerDay }: UploadQuota, { of, seconds }: LackOfRoom): ServiceError {
  const sentence =
    of === 'open'
      ? `${who} may have ${open} uploads open at a time; submit some of them, or try again in ${seconds} seconds.`
      : `${who} may upload ${bytesPerDay} bytes a day; try again in ${seconds} seconds.`
  return new ServiceError(429, 'unclassified', sentence, { headers: { 'Retry-After': String(seconds) } })
}
