import type { Context } from 'hono'
import type { Address } from 'viem'
import type { Config } from '../config.ts'
import type { PolicyBundle } from '../domain/legal/policy-bundle.ts'
import type { Acceptance } from '../domain/legal/receipt-fault.ts'
import { findReceiptFault, type ReceiptFault } from '../domain/legal/receipt-fault.ts'
import { ServiceError } from '../errors/service-error.ts'
import { serviceHeaderNames } from '../http/header-names.ts'

/** Finds acceptances by their receipts, whichever process gave those out. */
export interface LegalReceipts {
  /** Null for what is no receipt, and for one this service knows nothing of. */
  find(token: string): Promise<Acceptance | null>
}

/** Legal acceptance as this process offers it. */
export interface LegalPolicies {
  bundle: PolicyBundle
  /** Whether the bundle can be accepted now. */
  acceptanceAvailable: boolean
  /** Whether protected writes need a receipt. */
  enforced: boolean
  receipts: LegalReceipts
}

/** A write on its way in, as the legal check needs it. */
export interface LegalQuestion {
  /** Withdrawals, refunds, cancellations and appeals work without a receipt. */
  exempt: boolean
  /** Value of the receipt header, as sent. */
  receipt: string | null
  /** Payer or signer; null in the first round of a payment, when it is not known yet. */
  wallet: Address | null
}

/**
 * Asked before the preflight, without a wallet, and again once the wallet is known; always before any payment.
 * @throws ServiceError 403 with code `LEGAL_ACCEPTANCE_REQUIRED`
 */
export type LegalCheck = (question: LegalQuestion) => Promise<void>

/** The check of a deployment that enforces no legal acceptance (Spec, "Legal acceptance": off by default). */
export const admitAll: LegalCheck = async () => {}

/**
 * The check of this deployment: it refuses protected writes without a receipt of the current bundle, if it is enforced.
 */
export function createLegalCheck(legal: LegalPolicies, config: Pick<Config, GateSetting>): LegalCheck {
  if (!legal.enforced) return admitAll
  return async ({ exempt, receipt, wallet }) => {
    if (exempt) return
    if (receipt === null || receipt === '') throw acceptanceRequired('no_receipt', legal, config)
    const acceptance = await legal.receipts.find(receipt)
    const fault =
      acceptance === null
        ? 'unknown_receipt'
        : findReceiptFault(acceptance, { bundleDigest: legal.bundle.digest, wallet })
    if (fault !== null) throw acceptanceRequired(fault, legal, config)
  }
}

/**
 * Checks a request. The pipeline does so for relayed writes; a protected route that relays nothing calls
 * it itself, as soon as it knows its wallet and before it stores anything.
 * @throws ServiceError 403 with code `LEGAL_ACCEPTANCE_REQUIRED`
 */
export async function checkLegalReceipt(
  c: Context,
  { config, writes }: { config: Pick<Config, 'SERVICE_NAME'>; writes: { legal: LegalCheck } },
  { exempt = false, wallet }: { exempt?: boolean | undefined; wallet: Address | null },
): Promise<void> {
  const receipt = c.req.header(serviceHeaderNames(config.SERVICE_NAME).legalReceipt)?.trim() ?? null
  await writes.legal({ exempt, receipt, wallet })
}

type GateSetting = 'SERVICE_NAME' | 'PUBLIC_BASE_URL'
type Fault = ReceiptFault | 'no_receipt' | 'unknown_receipt'

const FAULTS: Record<Fault, string> = {
  no_receipt: 'This write needs a receipt that its wallet accepted the current policies; none was sent',
  unknown_receipt: 'This write needs a receipt that its wallet accepted the current policies; the one sent is unknown',
  other_bundle: 'The legal receipt is for other policies than the current ones; accept these',
  other_wallet: 'The legal receipt belongs to another wallet than the one that pays or signs this write; send its own',
}

function acceptanceRequired(
  fault: Fault,
  { bundle }: LegalPolicies,
  { SERVICE_NAME, PUBLIC_BASE_URL }: Pick<Config, GateSetting>,
): ServiceError {
  const legal = `${PUBLIC_BASE_URL}/api/legal`
  return new ServiceError(
    403,
    'unclassified',
    `${FAULTS[fault]}. Nothing was charged. Read the policies (version ${bundle.version}) at ${legal}/current, sign the ` +
      `message of POST ${legal}/challenge, send it to POST ${legal}/accept/wallet, and repeat this request with the ` +
      `receipt in ${serviceHeaderNames(SERVICE_NAME).legalReceipt}.`,
    { detail: 'legal_acceptance_required', code: 'LEGAL_ACCEPTANCE_REQUIRED' },
  )
}
