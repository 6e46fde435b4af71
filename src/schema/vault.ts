import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per vault that the deployment's factory created for a sponsor (`VaultCreated`), with the totals of the
 * vault's latest event. Key: the vault id, keccak256(abi.encode(chainId, factory, owner, token, salt)). Amounts are
 * base units of the vault's token.
 */
export const sponsoredVault = onchainTable(
  'sponsored_vault',
  (t) => ({
    /** 32-byte id of the vault. */
    vaultId: t.hex().primaryKey(),
    /**
     * Address of the vault's own contract, which holds the tokens. It is the verifying contract of signed claims
     * (EIP-712).
     */
    vault: t.hex().notNull(),
    /**
     * Address of the deployment's SponsoredTasksHook. Any other hook can charge the vault only if the owner allows it.
     */
    hook: t.hex().notNull(),
    /** Account of the sponsor, who owns the vault. */
    owner: t.hex().notNull(),
    /** Address of the token that the vault holds. */
    token: t.hex().notNull(),
    /** Value that the owner chose to distinguish several vaults of the same token. */
    salt: t.hex().notNull(),
    /**
     * Name that the token contract returned when the vault was created, at most 32 printable characters. It is not
     * verified: the token's author can choose any name. Null if the token returned none.
     */
    tokenName: t.text(),
    /**
     * Symbol that the token contract returned when the vault was created, at most 32 printable characters; null if it
     * returned none.
     */
    tokenSymbol: t.text(),
    /** Decimals that the token contract returned when the vault was created; null if it returned none. */
    tokenDecimals: t.integer(),
    /**
     * Number of the vault's current epoch: 0 until the owner's exit, 1 after it. The exit ends the epoch with all its
     * charges.
     */
    epoch: t.integer().notNull(),
    /** Time from which the owner may exit, Unix seconds; null if the owner has announced no exit. */
    exitAt: t.int8({ mode: 'bigint' }),
    /** Time of the exit, Unix seconds; null before the exit. */
    exitedAt: t.int8({ mode: 'bigint' }),
    /** Amount that new charges can reserve and that the owner can withdraw. */
    available: t.bigint().notNull(),
    /** Amount that charges hold for tasks that have not ended. */
    reserved: t.bigint().notNull(),
    /** Amount that was credited to workers and that they have not claimed yet. */
    owed: t.bigint().notNull(),
    /** Platform fees of credited rewards that were not transferred to the platform yet. */
    fees: t.bigint().notNull(),
    /**
     * Limit on the platform fees of new charges, which the owner sets. A charge lowers it by the charge's `fee`; if the
     * task ends with a smaller fee, the difference is added again. The limit is a number only: the vault holds no
     * tokens for it.
     */
    feeCredit: t.bigint().notNull(),
    /** Sum of the tokens that the vault received by calls of its function `fund`. */
    fundedTotal: t.bigint().notNull(),
    /**
     * Sum of the tokens that the owner withdrew from the available amount. Tokens that the exit returned are in
     * `vault_epoch.returned`.
     */
    withdrawnTotal: t.bigint().notNull(),
    /** Sum of all claims that were paid to workers. */
    claimedTotal: t.bigint().notNull(),
    /** Sum of all platform fees that were transferred to the platform. */
    collectedTotal: t.bigint().notNull(),
    /** Number of the vault's rows in `vault_event`, which is also the ordinal of the next one. */
    eventCount: t.integer().notNull(),
    ...position(t),
  }),
  (table) => ({
    byToken: index().on(table.token, table.vaultId),
    byOwner: index().on(table.owner),
    byContract: index().on(table.vault),
  }),
)

/**
 * One row per vault contract: its address, and its vault id. Most events of a vault do not contain the id, so the
 * indexer reads it here. Key: the address.
 */
export const vaultAddress = onchainTable('vault_address', (t) => ({
  /** Address of the vault's contract. */
  vault: t.hex().primaryKey(),
  /** Id of the vault. */
  vaultId: t.hex().notNull(),
}))

/**
 * One row per account that the vault's owner has named as a manager: an account whose tasks may charge the vault. Key:
 * `<vaultId>:<manager>`.
 */
export const vaultManager = onchainTable(
  'vault_manager',
  (t) => ({
    /** `<vaultId>:<manager>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Address of the manager. */
    manager: t.hex().notNull(),
    /**
     * Maximum of `spent` after a new charge, base units of the vault's token. The owner may set it below the current
     * `spent`.
     */
    spendCap: t.bigint().notNull(),
    /** Sum of the manager's charges in all epochs, less the released amounts, base units of the vault's token. */
    spent: t.bigint().notNull(),
    /** True if tasks of the manager may make new charges. */
    active: t.boolean().notNull(),
    ...position(t),
  }),
  (table) => ({ byVault: index().on(table.vaultId, table.manager), byManager: index().on(table.manager) }),
)

/**
 * One row per hook to which the vault's owner gave, or from which the owner withdrew, the permission to charge the
 * vault. Key: `<vaultId>:<hook>`.
 */
export const vaultCharger = onchainTable(
  'vault_charger',
  (t) => ({
    /** `<vaultId>:<hook>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Address of the hook. */
    hook: t.hex().notNull(),
    /** True if the hook may make new charges. If false, the hook still controls the charges that it made before. */
    allowed: t.boolean().notNull(),
    ...position(t),
  }),
  (table) => ({ byVault: index().on(table.vaultId) }),
)

/**
 * One row per charge of a vault: the tokens that a hook reserved as the reward of one task. Key: `<vaultId>:<taskId>`.
 * If `isOwnHook` is true, `taskId` is a task of this market, and the amounts follow from its awards. Another hook,
 * which the owner allowed, may name any id and any amounts. If `epoch` is below the vault's epoch, an exit has ended
 * the charge: workers can no longer claim from it, and its unpaid part was sent to the account that the owner named.
 */
export const vaultCharge = onchainTable(
  'vault_charge',
  (t) => ({
    /** `<vaultId>:<taskId>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Id of the task. A hook that is not the vault's own may name any id. */
    taskId: t.hex().notNull(),
    /** Hook that made the charge. Only this hook can change the charge. */
    hook: t.hex().notNull(),
    /** True if `hook` is the vault's own hook (`sponsored_vault.hook`). */
    isOwnHook: t.boolean().notNull(),
    /** Manager that created the task. */
    manager: t.hex().notNull(),
    /** Number of the vault's epoch at the time of the charge, from 0. */
    epoch: t.integer().notNull(),
    /**
     * State: reserved (the task runs), credited (the amounts for workers are fixed), settled (workers can claim) or
     * released (all tokens are available again).
     */
    state: t.text().notNull(),
    /** Amount that the charge reserved, base units of the vault's token: `net` plus `fee`. */
    gross: t.bigint().notNull(),
    /** Part of `gross` for workers, base units of the vault's token. */
    net: t.bigint().notNull(),
    /** Part of `gross` for the platform if the task pays out in full, base units of the vault's token. */
    fee: t.bigint().notNull(),
    /**
     * Maximum amount that the task could award, USDC base units. Awards of this amount earn all of `net`, smaller ones
     * a proportional part. Null before the credit.
     */
    base: t.bigint(),
    /** Amount that was credited to workers when the task ended, base units of the vault's token. */
    credited: t.bigint().notNull(),
    /** Platform fee that was fixed when the task ended, base units of the vault's token. */
    creditedFee: t.bigint().notNull(),
    /**
     * Amount that became available again when the task ended, base units of the vault's token. Amounts that an exit
     * freed are not included.
     */
    released: t.bigint().notNull(),
    /** Amount that workers have claimed, base units of the vault's token. */
    paid: t.bigint().notNull(),
    /**
     * Time of the credit or the release, Unix seconds; null if the task has not ended, or if the hook did not report
     * its end.
     */
    endedAt: t.int8({ mode: 'bigint' }),
    /** Height of the block of the credit or the release; null if `endedAt` is null. */
    endedBlock: t.int8({ mode: 'bigint' }),
    /** Hash of the transaction of the credit or the release; null if `endedAt` is null. */
    endedTransaction: t.hex(),
    /** Index of the credit's or the release's log in its block, from 0; null if `endedAt` is null. */
    endedLogIndex: t.integer(),
    ...position(t),
  }),
  (table) => ({
    byVault: index().on(table.vaultId, table.blockNumber),
    byVaultEnd: index().on(table.vaultId, table.endedBlock),
    byTask: index().on(table.taskId),
    // The task that the ledger shows.
    byOwnTask: index('vault_charge_own_task_index').on(sql`(case when is_own_hook then task_id end)`),
    byState: index().on(table.state, table.isOwnHook),
  }),
)

/**
 * One row per settlement (`SettlementInstalled`): the Merkle root over the claims of one charge. Key:
 * `<vaultId>:<taskId>`.
 */
export const vaultSettlement = onchainTable(
  'vault_settlement',
  (t) => ({
    /** `<vaultId>:<taskId>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Id of the task. A hook that is not the vault's own may name any id. */
    taskId: t.hex().notNull(),
    /** Number of the vault's epoch, from 0. */
    epoch: t.integer().notNull(),
    /** Merkle root over the claims of the charge. */
    root: t.hex().notNull(),
    /** Sum of all claims of the charge, base units of the vault's token; equals `vault_charge.credited`. */
    total: t.bigint().notNull(),
    ...position(t),
  }),
  (table) => ({
    byVault: index().on(table.vaultId, table.epoch, table.blockNumber, table.logIndex),
    byBlock: index().on(table.blockNumber),
  }),
)

/**
 * One row per leaf of a settlement's Merkle tree: the amount that one award of the task earned in the vault's token.
 * Only settlements by the vault's own hook have rows, because the list that another hook logs need not match its Merkle
 * root. Key: `<vaultId>:<taskId>:<index>`.
 */
export const vaultLeaf = onchainTable(
  'vault_leaf',
  (t) => ({
    /** `<vaultId>:<taskId>:<index>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Number of the vault's epoch, from 0. */
    epoch: t.integer().notNull(),
    /** Index of the award in the task, from 0. An award that earned nothing has no row, so indexes may be missing. */
    index: t.integer().notNull(),
    /** Worker who may claim the amount. */
    worker: t.hex().notNull(),
    /** Amount that the worker may claim, base units of the vault's token. */
    amount: t.bigint().notNull(),
    /** Time at which the worker claimed the amount, Unix seconds; null if it is not claimed yet. */
    paidAt: t.int8({ mode: 'bigint' }),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.vaultId, table.taskId, table.index),
    byWorker: index().on(table.worker, table.vaultId),
  }),
)

/**
 * One row per paid claim (`Claimed`). Key: `<vaultId>:<taskId>:<index>`. Each leaf of a settlement can be claimed once.
 */
export const vaultClaim = onchainTable(
  'vault_claim',
  (t) => ({
    /** `<vaultId>:<taskId>:<index>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Id of the task. A hook that is not the vault's own may name any id. */
    taskId: t.hex().notNull(),
    /** Index of the claim in its settlement, from 0; the same as in `vault_leaf`. */
    index: t.integer().notNull(),
    /** Worker whose claim was paid. */
    worker: t.hex().notNull(),
    /** Account that received the tokens. */
    destination: t.hex().notNull(),
    /** Amount paid, base units of the vault's token. */
    amount: t.bigint().notNull(),
    /** Nonce of the claim. Each worker's claims in this vault are numbered from 0. */
    nonce: t.bigint().notNull(),
    ...position(t),
  }),
  (table) => ({
    byWorker: index().on(table.worker, table.vaultId, table.nonce),
    byVault: index().on(table.vaultId, table.blockNumber),
    byTask: index().on(table.taskId),
    byDestination: index().on(table.destination, table.blockNumber),
    byBlock: index().on(table.blockNumber),
  }),
)

/**
 * One row per epoch of a vault. A vault starts in epoch 0; its exit ends epoch 0 and starts epoch 1. Key:
 * `<vaultId>:<epoch>`.
 */
export const vaultEpoch = onchainTable('vault_epoch', (t) => ({
  /** `<vaultId>:<epoch>`. */
  id: t.text().primaryKey(),
  /** The vault. */
  vaultId: t.hex().notNull(),
  /** Number of the epoch, from 0. */
  epoch: t.integer().notNull(),
  /** Time at which the epoch started, Unix seconds: the creation of the vault for epoch 0, the exit for epoch 1. */
  startedAt: t.int8({ mode: 'bigint' }).notNull(),
  /** Time of the exit that ended the epoch, Unix seconds; null if the epoch has not ended. */
  endedAt: t.int8({ mode: 'bigint' }),
  /**
   * Amount that was credited to workers and not claimed when the exit ended the epoch, base units of the vault's token;
   * null if the epoch has not ended.
   */
  defaulted: t.bigint(),
  /**
   * Amount that the exit sent to `returnedTo`, base units of the vault's token: the whole balance except fees that were
   * not collected yet. It includes `defaulted` and plain transfers to the vault. Null if the epoch has not ended.
   */
  returned: t.bigint(),
  /** Account, named by the owner, that received `returned`; null if the epoch has not ended. */
  returnedTo: t.hex(),
}))

/**
 * One row per event of a vault that belongs to no single charge: funding, withdrawals, fees, settings and the exit.
 * Key: `<vaultId>:<ordinal>`; the ordinal counts the vault's events from 0.
 */
export const vaultEvent = onchainTable(
  'vault_event',
  (t) => ({
    /** `<vaultId>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Index of the event in the vault's history, from 0. */
    ordinal: t.integer().notNull(),
    /** The Solidity event name, such as Funded. */
    name: t.text().notNull(),
    /** Arguments of the event. Amounts and times are decimal strings. */
    args: t.json().$type<Record<string, unknown>>().notNull(),
    ...position(t),
  }),
  (table) => ({
    byVault: index().on(table.vaultId, table.ordinal),
    byVaultBlock: index().on(table.vaultId, table.blockNumber),
    byName: index().on(table.name),
    byBlock: index().on(table.blockNumber),
    // The account that an event pays from, and the one that it pays.
    byFrom: index('vault_event_from_index').on(sql`(args->>'from')`, table.blockNumber),
    byTo: index('vault_event_to_index').on(sql`(args->>'to')`, table.blockNumber),
  }),
)
