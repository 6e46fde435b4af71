import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per vault that the deployment's factory created for a sponsor (`VaultCreated`). Key: the vault id,
 * keccak256(abi.encode(chainId, factory, owner, token, salt)). Amounts are base units of the vault's token.
 */
export const sponsoredVault = onchainTable(
  'sponsored_vault',
  (t) => ({
    /** 32-byte id of the vault. */
    vaultId: t.hex().primaryKey(),
    /**
     * Address of the vault's contract, which holds the tokens. Signed claims (EIP-712) name it as the verifying
     * contract.
     */
    vault: t.hex().notNull(),
    /**
     * Address of the deployment's SponsoredTasksHook. This hook, like any other, can charge the vault only with the
     * owner's permission.
     */
    hook: t.hex().notNull(),
    /** The sponsor: the account that owns the vault. */
    owner: t.hex().notNull(),
    /** Address of the token that the vault holds. */
    token: t.hex().notNull(),
    /**
     * Value that the owner chose for the vault. If an owner has several vaults for the same token, their values differ.
     */
    salt: t.hex().notNull(),
    /**
     * Name that the token contract returned when the vault was created, at most 32 printable characters. Null if the
     * token returned no name. The name is not verified; the token's author can choose any name.
     */
    tokenName: t.text(),
    /**
     * Symbol that the token contract returned when the vault was created, at most 32 printable characters. Null if the
     * token returned no symbol.
     */
    tokenSymbol: t.text(),
    /** Decimals that the token contract returned when the vault was created; null if the token returned no decimals. */
    tokenDecimals: t.integer(),
    /**
     * Number of the vault's current epoch: 0 before the owner's exit (the withdrawal that closes the vault), 1 after the
     * exit. The exit ends all charges of epoch 0.
     */
    epoch: t.integer().notNull(),
    /** Time from which the owner may exit, Unix seconds; null if the owner has announced no exit. */
    exitAt: t.int8({ mode: 'bigint' }),
    /** Time of the exit, Unix seconds; null before the exit. */
    exitedAt: t.int8({ mode: 'bigint' }),
    /** Amount that is free: new charges can reserve it, and the owner can withdraw it. */
    available: t.bigint().notNull(),
    /** Amount that charges hold for tasks that have not ended. */
    reserved: t.bigint().notNull(),
    /** Amount that workers have earned and not claimed yet. */
    owed: t.bigint().notNull(),
    /** Platform fees of credited rewards that were not transferred to the platform yet. */
    fees: t.bigint().notNull(),
    /**
     * The owner's limit on the platform fees of new charges. Each charge lowers the limit by the charge's `fee`. If the
     * task ends with a smaller fee, the limit rises by the difference. The limit is only a number: the vault does not
     * set tokens aside for it.
     */
    feeCredit: t.bigint().notNull(),
    /** Sum of the tokens that the vault received through the contract's function `fund`. */
    fundedTotal: t.bigint().notNull(),
    /**
     * Sum of the tokens that the owner withdrew from the available amount. Tokens of the exit are in
     * `vault_epoch.returned` instead.
     */
    withdrawnTotal: t.bigint().notNull(),
    /** Sum of all claims that were paid to workers. */
    claimedTotal: t.bigint().notNull(),
    /** Sum of all platform fees that were transferred to the platform. */
    collectedTotal: t.bigint().notNull(),
    /** Number of the vault's rows in `vault_event`. The next row gets this number as its ordinal. */
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
 * One row per vault contract: its vault id. Key: the address. The indexer looks up the id here, because most events of
 * a vault contain no id.
 */
export const vaultAddress = onchainTable('vault_address', (t) => ({
  /** Address of the vault's contract. */
  vault: t.hex().primaryKey(),
  /** Id of the vault with this address. */
  vaultId: t.hex().notNull(),
}))

/**
 * One row per account that the vault's owner has named as a manager. The tasks of a manager may charge the vault. Key:
 * `<vaultId>:<manager>`.
 */
export const vaultManager = onchainTable(
  'vault_manager',
  (t) => ({
    /** Key of the row: `<vaultId>:<manager>`. */
    id: t.text().primaryKey(),
    /** Id of the vault whose owner named the manager. */
    vaultId: t.hex().notNull(),
    /**
     * Account that the vault's owner named as a manager. The rewards of the tasks that this manager creates can be
     * charged to the vault.
     */
    manager: t.hex().notNull(),
    /**
     * Limit of `spent`, in base units of the vault's token. A charge that would raise `spent` above the limit is
     * refused. The owner may set a limit below the current `spent`.
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

/** One row per hook that the vault's owner has allowed or forbidden to charge the vault. Key: `<vaultId>:<hook>`. */
export const vaultCharger = onchainTable(
  'vault_charger',
  (t) => ({
    /** Key of the row: `<vaultId>:<hook>`. */
    id: t.text().primaryKey(),
    /** Id of the vault that the hook may or may not charge. */
    vaultId: t.hex().notNull(),
    /** Address of the hook that the owner has allowed or forbidden. */
    hook: t.hex().notNull(),
    /** True if the hook may make new charges. A hook that is no longer allowed still controls its earlier charges. */
    allowed: t.boolean().notNull(),
    ...position(t),
  }),
  (table) => ({ byVault: index().on(table.vaultId) }),
)

/**
 * One row per charge of a vault: the tokens that a hook reserved as the reward of one task. Key: `<vaultId>:<taskId>`.
 * If `isOwnHook` is true, the task is a task of this market, and the task's awards determine the amounts. If
 * `isOwnHook` is false, another hook chose the task id and the amounts, and such a task need not exist. When the owner exits (closes the vault), the vault's
 * epoch rises and all charges end. Therefore a charge whose epoch is below the vault's epoch is void.
 */
export const vaultCharge = onchainTable(
  'vault_charge',
  (t) => ({
    /** Key of the row: `<vaultId>:<taskId>`. */
    id: t.text().primaryKey(),
    /** Id of the charged vault. */
    vaultId: t.hex().notNull(),
    /** Id that the hook gave for the charge: the task id if `isOwnHook` is true. Any other hook may choose any id. */
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
     * State of the charge. `reserved`: the task has not ended. `credited`: the amounts for workers are fixed.
     * `settled`: workers can claim. `released`: all tokens are available again.
     */
    state: t.text().notNull(),
    /** Amount that the charge reserved, base units of the vault's token: `net` plus `fee`. */
    gross: t.bigint().notNull(),
    /** Part of `gross` for workers, base units of the vault's token. */
    net: t.bigint().notNull(),
    /** Part of `gross` for the platform if the task pays out in full, base units of the vault's token. */
    fee: t.bigint().notNull(),
    /**
     * Maximum amount that the task could award, USDC base units; null before the credit. Awards of this amount earn all
     * of `net`. Smaller awards earn a proportional part.
     */
    base: t.bigint(),
    /** Amount that was credited to workers when the task ended, base units of the vault's token. */
    credited: t.bigint().notNull(),
    /** Platform fee that was fixed when the task ended, base units of the vault's token. */
    creditedFee: t.bigint().notNull(),
    /**
     * Amount that became available again when the task ended, in base units of the vault's token. Amounts that an exit
     * freed are not included.
     */
    released: t.bigint().notNull(),
    /** Amount that workers have claimed, base units of the vault's token. */
    paid: t.bigint().notNull(),
    /**
     * Time at which the charge was credited or released, Unix seconds; null until the hook reports the end of the task.
     */
    endedAt: t.int8({ mode: 'bigint' }),
    /** Height of the block in which the charge was credited or released; null if `endedAt` is null. */
    endedBlock: t.int8({ mode: 'bigint' }),
    /** Hash of the transaction that credited or released the charge; null if `endedAt` is null. */
    endedTransaction: t.hex(),
    /** Index, in the block, of the log that records the credit or the release, from 0; null if `endedAt` is null. */
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
 * One row per settlement (`SettlementInstalled`). A settlement is the Merkle root of the amounts that accounts can claim
 * from a vault for one task. Key: `<vaultId>:<taskId>`.
 */
export const vaultSettlement = onchainTable(
  'vault_settlement',
  (t) => ({
    /** Key of the row: `<vaultId>:<taskId>`. */
    id: t.text().primaryKey(),
    /** Id of the charged vault. */
    vaultId: t.hex().notNull(),
    /**
     * Id that the hook gave for the charge. The vault's own hook gives the task id. Any other hook may choose any id.
     */
    taskId: t.hex().notNull(),
    /** Number of the vault's epoch in which the settlement was installed, from 0. */
    epoch: t.integer().notNull(),
    /** Root of the Merkle tree over the claims of the charge. */
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
 * One row per leaf of a settlement's Merkle tree: the amount that one award earned, in the vault's token. Key:
 * `<vaultId>:<taskId>:<index>`. Only settlements by the vault's own hook have rows. A different hook could log amounts
 * that do not match the Merkle root.
 */
export const vaultLeaf = onchainTable(
  'vault_leaf',
  (t) => ({
    /** Key of the row: `<vaultId>:<taskId>:<index>`. */
    id: t.text().primaryKey(),
    /** Id of the vault that pays the claim. */
    vaultId: t.hex().notNull(),
    /** Id of the task that the vault pays. */
    taskId: t.hex().notNull(),
    /** Number of the vault's epoch to which the claim belongs, from 0. */
    epoch: t.integer().notNull(),
    /** Index of the award in the task, from 0. Indexes can have gaps, because an award without earnings has no row. */
    index: t.integer().notNull(),
    /** Worker who may claim the amount. */
    worker: t.hex().notNull(),
    /** Amount that the worker may claim, base units of the vault's token. */
    amount: t.bigint().notNull(),
    /** Time at which the worker claimed the amount, Unix seconds; null before the claim. */
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
    /** Key of the row: `<vaultId>:<taskId>:<index>`. */
    id: t.text().primaryKey(),
    /** Id of the vault that paid the claim. */
    vaultId: t.hex().notNull(),
    /**
     * Id that the hook gave for the charge. The vault's own hook gives the task id. Any other hook may choose any id.
     */
    taskId: t.hex().notNull(),
    /** Index of the claim in the settlement, from 0; equal to `index` in `vault_leaf`. */
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
 * One row per epoch of a vault. Key: `<vaultId>:<epoch>`. Epoch 0 ends with the owner's exit. The exit starts epoch 1.
 */
export const vaultEpoch = onchainTable('vault_epoch', (t) => ({
  /** Key of the row: `<vaultId>:<epoch>`. */
  id: t.text().primaryKey(),
  /** Id of the vault whose epoch this is. */
  vaultId: t.hex().notNull(),
  /** Number of the epoch, from 0. */
  epoch: t.integer().notNull(),
  /** Time at which the epoch started, Unix seconds: the creation of the vault for epoch 0, the exit for epoch 1. */
  startedAt: t.int8({ mode: 'bigint' }).notNull(),
  /** Time of the exit that ended the epoch, Unix seconds; null if the epoch has not ended. */
  endedAt: t.int8({ mode: 'bigint' }),
  /**
   * Amount that workers had earned and not claimed at the exit, in base units of the vault's token; null before the
   * exit.
   */
  defaulted: t.bigint(),
  /**
   * Amount that the exit sent to `returnedTo`, in base units of the vault's token; null before the exit. It is the
   * vault's whole balance less the platform fees that were not collected yet.
   */
  returned: t.bigint(),
  /** Account, chosen by the owner, that received the amount `returned` at the exit; null before the exit. */
  returnedTo: t.hex(),
}))

/**
 * One row per vault event about funding, withdrawals, fees, settings or the exit. An event about a single charge has no
 * row. Key: `<vaultId>:<ordinal>`; the ordinal counts the rows of the vault from 0.
 */
export const vaultEvent = onchainTable(
  'vault_event',
  (t) => ({
    /** Key of the row: `<vaultId>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** Id of the vault that logged the event. */
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
