import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import type { LegalPolicies } from '../../writes/legal-acceptance.ts'
import { isBundleKept, keepBundle, keepDocument } from './documents.queries.ts'
import { createLegalReceipts } from './legal-receipts.ts'
import { type ReadBundle, readBundle } from './read-bundle.ts'

/** A text that is in the template policies of this service. An operator's policies do not contain this text. */
const TEMPLATE_MARK = 'This is a template'

export interface LegalSource {
  sql: Database
  config: Pick<Config, 'LEGAL_DIRECTORY' | 'LEGAL_ENFORCEMENT' | 'ENVIRONMENT'>
  log: Logger
}

/**
 * Reads the policies and stores them in the database. Returns the policies and the rules for their acceptance. In the
 * environment `local`, a draft can also be accepted. Receipts for a draft become invalid when the bundle is approved.
 * @throws Error with a remedy if the files are wrong, if the policies are a draft and `LEGAL_ENFORCEMENT` is on, or if
 * another approved bundle with the same version is stored
 */
export async function openLegal({ sql, config, log }: LegalSource): Promise<LegalPolicies> {
  const policies = await readPolicies(config)
  const { bundle } = policies
  if (bundle.status === 'approved' && isTemplate(policies)) {
    log.warn({ directory: config.LEGAL_DIRECTORY }, 'approved policies contain the template mark')
  }
  await publish(sql, policies)
  log.info({ version: bundle.version, digest: bundle.digest, enforced: config.LEGAL_ENFORCEMENT }, 'policies published')
  return {
    bundle,
    acceptanceAvailable: bundle.status === 'approved' || config.ENVIRONMENT === 'local',
    enforced: config.LEGAL_ENFORCEMENT,
    receipts: createLegalReceipts(sql),
  }
}

/**
 * Reads the policies without storing them.
 * @throws Error with a remedy if the files are wrong, or if the policies are a draft and `LEGAL_ENFORCEMENT` is on
 */
export async function readPolicies(config: Pick<Config, 'LEGAL_DIRECTORY' | 'LEGAL_ENFORCEMENT'>): Promise<ReadBundle> {
  const policies = await readBundle(config.LEGAL_DIRECTORY)
  if (!config.LEGAL_ENFORCEMENT || policies.bundle.status === 'approved') return policies
  throw new Error(
    `LEGAL_ENFORCEMENT is on, but the policies in ${config.LEGAL_DIRECTORY} are a draft, which binds no wallet. ` +
      'Set "status" in bundle.json to "approved" once they are, or turn LEGAL_ENFORCEMENT off.',
  )
}

function isTemplate({ texts }: ReadBundle): boolean {
  return [...texts.values()].some((text) => text.includes(TEMPLATE_MARK))
}

/**
 * Stores a bundle and its documents in one transaction.
 * @throws Error if another approved bundle has the same version
 */
async function publish(sql: Database, { bundle, texts }: ReadBundle): Promise<void> {
  await sql.begin(async (tx) => {
    for (const [contentHash, body] of texts) await keepDocument(tx, contentHash, body)
    await keepBundle(tx, bundle)
    if (await isBundleKept(tx, bundle.digest)) return
    throw new Error(
      `Version ${bundle.version} of the policies was approved before with other contents, and wallets may have ` +
        'accepted those. Give the changed bundle another "version" in bundle.json.',
    )
  })
}
