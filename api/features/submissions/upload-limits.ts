import { chargeUpload, WORKERS_OF_A_CLIENT } from '../../artifacts/byte-accounts.ts'
import { findOpenShortage, insertUpload, type NewUpload, type UploadScope } from '../../artifacts/uploads.queries.ts'
import type { Transaction } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'

/**
 * Records an upload and charges the bytes of the upload. The charged accounts are locked until the end of the
 * transaction. The number of open uploads is limited for each client, and for each pair of worker and client. An upload
 * is open until it expires or becomes part of a submission.
 * @param reward the reward of the task, in base units of USDC
 * @returns the time until which the URL is valid, in Unix seconds
 * @throws ByteQuotaError; ServiceError 429 if too many uploads are open
 */
export async function recordUpload(
  { sql, config }: Pick<Deps, 'sql' | 'config'>,
  upload: NewUpload,
  reward: bigint,
): Promise<number> {
  const { client, worker } = upload
  const openLimit = config.UPLOADS_OPEN
  return await sql.begin(async (tx) => {
    await chargeUpload(tx, config, { ...upload, reward })
    // Not for each worker alone. After a worker's first submission, the signature that requests a URL is public on chain,
    // so any account could send it again and use up the worker's uploads.
    await requireFewOpen(tx, { client, worker }, openLimit)
    await requireFewOpen(tx, { client }, openLimit * WORKERS_OF_A_CLIENT)
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
