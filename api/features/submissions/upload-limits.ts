import { chargeUpload, WORKERS_OF_A_CLIENT } from '../../artifacts/byte-accounts.ts'
import { findOpenShortage, insertUpload, type NewUpload, type UploadScope } from '../../artifacts/uploads.queries.ts'
import type { Transaction } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'

/**
 * Records an upload and charges its bytes, before the URL of the upload is answered. The charged accounts are locked
 * until the end of the transaction. The number of open uploads (not expired, and not yet part of a submission) is
 * limited for each client, and for each pair of worker and client. A limit for each worker would let other accounts use
 * up the worker's uploads: after the worker's first submission, the signature that requests a URL is public on chain,
 * so other accounts could send it again.
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
