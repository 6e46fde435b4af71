import type { Address } from 'viem'

/** A write on its way in, as the legal gate sees it. */
export interface LegalQuestion {
  /** Withdrawals, refunds, cancellations and appeals work without a receipt. */
  exempt: boolean
  /** Value of the receipt header, as sent. */
  receipt: string | null
  /** Payer or signer; null in the first round of a payment, when nobody is known yet. */
  wallet: Address | null
}

/**
 * Asked before the preflight, without a wallet, and again once the wallet is known; always before any payment.
 * @throws ServiceError 403 with code `LEGAL_ACCEPTANCE_REQUIRED`
 */
export type LegalGate = (question: LegalQuestion) => Promise<void>

/** The gate of a deployment that enforces no legal acceptance (Spec, "Legal acceptance": off by default). */
export const admitEverybody: LegalGate = async () => {}
