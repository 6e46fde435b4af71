import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row a sponsor's vault of the deployment's factory (`VaultCreated`), with the totals that its last event logged.
 * Key: the vault id, keccak256(abi.encode(chainId, factory, owner, token, salt)). Amounts are base units of its token.
 */
export const sponsoredVault = onchainTable(
  'sponsored_vault',
  (t) => ({
    /** 32-byte id of the vault. */
    vaultId: t.hex().primaryKey(),
    /** The vault's own contract: holds the tokens, and is the verifying contract of signed claims. */
    vault: t.hex().notNull(),
    /** The deployment's SponsoredTasksHook. Other hooks charge the vault only if its owner allows them. */
    hook: t.hex().notNull(),
    /** The sponsor. */
    owner: t.hex().notNull(),
    /** Address of the token. */
    token: t.hex().notNull(),
    /** Chosen by the owner: distinguishes its vaults of one token. */
    salt: t.hex().notNull(),
    /**
     * Name that the token answered when the vault was made, 32 printable characters at most, chosen by it; null: no
     * answer.
     */
    tokenName: t.text(),
    /** Symbol that the token answered, as its name; null: no answer. */
    tokenSymbol: t.text(),
    /** Decimals that the token answered when the vault was made; null: no answer. */
    tokenDecimals: t.integer(),
    /** Number of the present life of the vault, from 0: an exit ends it, and every charge of it. */
    epoch: t.integer().notNull(),
    /** Unix seconds from which on the owner may exit; null: not announced. */
    exitAt: t.int8({ mode: 'bigint' }),
    /** Unix seconds of the exit; null: active. */
    exitedAt: t.int8({ mode: 'bigint' }),
    /** The owner's, free for charges and to withdraw. */
    available: t.bigint().notNull(),
    /** Charged for tasks that have not ended. */
    reserved: t.bigint().notNull(),
    /** Credited to workers and not claimed. */
    owed: t.bigint().notNull(),
    /** Platform fees of credited rewards, not collected. */
    fees: t.bigint().notNull(),
    /** Platform fees that new charges may still cause: an allowance, not a balance. */
    feeCredit: t.bigint().notNull(),
    /** Received by calls of fund ever. */
    fundedTotal: t.bigint().notNull(),
    /** Sent back by withdrawals of what was available, ever. What an exit returned is `vault_epoch.returned`. */
    withdrawnTotal: t.bigint().notNull(),
    /** Paid to workers ever. */
    claimedTotal: t.bigint().notNull(),
    /** Collected as platform fees ever. */
    collectedTotal: t.bigint().notNull(),
    /** How many rows of `vault_event` there are: the next ordinal. */
    eventCount: t.integer().notNull(),
    ...position(t),
  }),
  (table) => ({
    byToken: index().on(table.token, table.vaultId),
    byOwner: index().on(table.owner),
    byContract: index().on(table.vault),
  }),
)

/** One row a vault's contract. Key: its address. The vault's other events name no vault id. */
export const vaultAddress = onchainTable('vault_address', (t) => ({
  /** Address of the contract. */
  vault: t.hex().primaryKey(),
  /** Its vault. */
  vaultId: t.hex().notNull(),
}))

/** One row an account that the owner ever named as a manager. Key: `<vaultId>:<manager>`. */
export const vaultManager = onchainTable(
  'vault_manager',
  (t) => ({
    /** `<vaultId>:<manager>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** The account. */
    manager: t.hex().notNull(),
    /** Charges never raise `spent` above it, base units of the vault's token; the owner may set it below. */
    spendCap: t.bigint().notNull(),
    /** Charged and not released, in all epochs, base units of the vault's token. */
    spent: t.bigint().notNull(),
    /** The account may charge. */
    active: t.boolean().notNull(),
    ...position(t),
  }),
  (table) => ({ byVault: index().on(table.vaultId, table.manager), byManager: index().on(table.manager) }),
)

/** One row a hook that the owner ever allowed to charge the vault, or refused. Key: `<vaultId>:<hook>`. */
export const vaultCharger = onchainTable(
  'vault_charger',
  (t) => ({
    /** `<vaultId>:<hook>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Address of the hook. */
    hook: t.hex().notNull(),
    /** The hook may make new charges. Charges that it made stay its own. */
    allowed: t.boolean().notNull(),
    ...position(t),
  }),
  (table) => ({ byVault: index().on(table.vaultId) }),
)

/**
 * One row a charge of a vault: the reward of one task, as its hook left it. Key: `<vaultId>:<taskId>`. Only where `hook`
 * is the vault's own is `taskId` a task of this market, and the rest what its task earned: a hook of the owner's choice
 * may name any id and any credit. A charge whose `epoch` is below the vault's has ended: what it had not paid went back
 * to the owner (`defaulted`).
 */
export const vaultCharge = onchainTable(
  'vault_charge',
  (t) => ({
    /** `<vaultId>:<taskId>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** The task; of another hook than the vault's own any id. */
    taskId: t.hex().notNull(),
    /** The hook that made the charge, and alone decides about it. */
    hook: t.hex().notNull(),
    /** The hook is the vault's own. */
    isOwnHook: t.boolean().notNull(),
    /** The manager whose task was charged. */
    manager: t.hex().notNull(),
    /** Epoch of the vault at the charge, from 0. */
    epoch: t.integer().notNull(),
    /** reserved, credited, settled (claims are open) or released. */
    state: t.text().notNull(),
    /** Reserved at first, base units of the vault's token: `net` and `fee`. */
    gross: t.bigint().notNull(),
    /** The part of `gross` for workers. */
    net: t.bigint().notNull(),
    /** The part of `gross` for the platform where the award is full. */
    fee: t.bigint().notNull(),
    /** What the task could pay, USDC base units: an award of as much earns all of `net`; null: not credited. */
    base: t.bigint(),
    /** Owed to workers at first, base units of the vault's token. */
    credited: t.bigint().notNull(),
    /** Owed to the platform at first, base units of the vault's token. */
    creditedFee: t.bigint().notNull(),
    /**
     * Back to what is available when the task ended, base units of the vault's token. What an exit ended is not in it.
     */
    released: t.bigint().notNull(),
    /** Claimed by workers, base units of the vault's token. */
    paid: t.bigint().notNull(),
    /** Unix seconds of the credit or release; null: the task goes on, or its ending was missed. */
    endedAt: t.int8({ mode: 'bigint' }),
    /** Height of the block of that event; null with `endedAt`. */
    endedBlock: t.int8({ mode: 'bigint' }),
    /** Transaction of that event; null with `endedAt`. */
    endedTransaction: t.hex(),
    /** Place of that event in its block; null with `endedAt`. */
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

/** One row a settlement (`SettlementInstalled`): the merkle root of a charge's claims. Key: `<vaultId>:<taskId>`. */
export const vaultSettlement = onchainTable(
  'vault_settlement',
  (t) => ({
    /** `<vaultId>:<taskId>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** The task; of another hook than the vault's own any id. */
    taskId: t.hex().notNull(),
    /** Epoch of the vault, from 0. */
    epoch: t.integer().notNull(),
    /** Merkle root of the claims. */
    root: t.hex().notNull(),
    /** Sum of the leaves, base units of the vault's token: what the charge credited. */
    total: t.bigint().notNull(),
    ...position(t),
  }),
  (table) => ({
    byVault: index().on(table.vaultId, table.epoch, table.blockNumber, table.logIndex),
    byBlock: index().on(table.blockNumber),
  }),
)

/**
 * One row a leaf of a settlement by the vault's own hook: what an award of the task earned. Key:
 * `<vaultId>:<taskId>:<index>`. Settlements of other hooks have none: their lists need not fit their root.
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
    /** Epoch of the vault, from 0. */
    epoch: t.integer().notNull(),
    /** Position among the awards of the task, from 0; awards that earned nothing leave gaps. */
    index: t.integer().notNull(),
    /** Who may claim. */
    worker: t.hex().notNull(),
    /** Base units of the vault's token. */
    amount: t.bigint().notNull(),
    /** Unix seconds of its claim; null: not paid. */
    paidAt: t.int8({ mode: 'bigint' }),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.vaultId, table.taskId, table.index),
    byWorker: index().on(table.worker, table.vaultId),
  }),
)

/** One row a claim that was paid (`Claimed`). Key: `<vaultId>:<taskId>:<index>`: a leaf pays once. */
export const vaultClaim = onchainTable(
  'vault_claim',
  (t) => ({
    /** `<vaultId>:<taskId>:<index>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** The task; of another hook than the vault's own any id. */
    taskId: t.hex().notNull(),
    /** Position of the leaf in its settlement, from 0. */
    index: t.integer().notNull(),
    /** Whose claim was paid. */
    worker: t.hex().notNull(),
    /** Who received the tokens. */
    destination: t.hex().notNull(),
    /** Base units of the vault's token. */
    amount: t.bigint().notNull(),
    /** Of the worker in this vault, from 0. */
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

/** One row an epoch of a vault: it has one, and after its exit another. Key: `<vaultId>:<epoch>`. */
export const vaultEpoch = onchainTable('vault_epoch', (t) => ({
  /** `<vaultId>:<epoch>`. */
  id: t.text().primaryKey(),
  /** The vault. */
  vaultId: t.hex().notNull(),
  /** Number of the epoch, from 0. */
  epoch: t.integer().notNull(),
  /** Unix seconds of the creation of the vault, or of the exit before. */
  startedAt: t.int8({ mode: 'bigint' }).notNull(),
  /** Unix seconds of the exit; null: it goes on. */
  endedAt: t.int8({ mode: 'bigint' }),
  /** Owed to workers and not claimed at the exit, base units of the vault's token; null: it goes on. */
  defaulted: t.bigint(),
  /**
   * Sent to the account that the owner named at the exit, base units of the vault's token: the whole balance but
   * uncollected fees. It includes `defaulted` and what others sent past fund. Null: it goes on.
   */
  returned: t.bigint(),
  /** That account; null: it goes on. */
  returnedTo: t.hex(),
}))

/**
 * One row an event of a vault that is about no single charge: funding, withdrawals, fees, settings and the exit. Key:
 * `<vaultId>:<ordinal>`, ordinal from 0 within the vault.
 */
export const vaultEvent = onchainTable(
  'vault_event',
  (t) => ({
    /** `<vaultId>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** The vault. */
    vaultId: t.hex().notNull(),
    /** Position in the history of the vault, from 0. */
    ordinal: t.integer().notNull(),
    /** The Solidity event name, such as Funded. */
    name: t.text().notNull(),
    /** The event's arguments; amounts and times as decimal strings. */
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
