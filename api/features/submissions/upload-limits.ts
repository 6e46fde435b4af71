import { chargeUpload, WORKERS_OF_A_CLIENT } from '../../artifacts/byte-accounts.ts'
import { findOpenShortage, insertUpload, type NewUpload, type UploadScope } from '../../artifacts/uploads.queries.ts'
import type { Transaction } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'

/**
 * Records an upload and charges its bytes, under the locks of their accounts, before its URL is answered. Open uploads
 * count per worker and client: the signature that requests a URL is public on chain after the worker's first
 * submission, and a replay by another account must not use the worker's quota.
 * @param reward of the task, base units
 * @returns the end of the URL, Unix seconds
 * @throws ByteQuotaError; ServiceError 429
 */
export async function recordUpload(
  { sql, config }: Pick<Deps, 'sql' | 'config'>,
  upload: NewUpload,
  reward: bigint,
): Promise<number> {
  const { client, worker } = upload
  const open = config.UPLOADS_OPEN
  return await sql.begin(async (tx) => {
    await chargeUpload(tx, config, { ...upload, reward })
    await requireFewOpen(tx, { client, worker }, open)
    await requireFewOpen(tx, { client }, open * WORKERS_OF_A_CLIENT)
    return await insertUpload(tx, upload, config.UPLOAD_URL_SECONDS)
  })
}

async function requireFewOpen(tx: Transaction, scope: UploadScope, most: number): Promise<void> {
  const seconds = await findOpenShortage(tx, scope, most)
  if (seconds === null) return
  const who = scope.worker === undefined ? 'This client' : 'This worker'
  const sentence = `${who} may have ${most} uploads open at a time; submit some of them, or try again in ${seconds} seconds.`
  throw new ServiceError(429, 'unclassified', sentence, {
    detail: 'rate_limited',
    headers: { 'Retry-After': String(seconds) },
  })
}
