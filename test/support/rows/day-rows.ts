import type { Database } from '../../../api/db/client.ts'

/** Inserts the sums of a day: bounties, one posted of 5 USDC and one awarded 3 USDC, an hour after it was posted. */
export async function insertDay(sql: Database, day: string): Promise<void> {
  const activity = {
    day,
    posted: 1,
    postedRewards: '5000000',
    entered: 1,
    entrySeconds: '3600',
    medianEntrySeconds: 3600,
    delivered: 1,
    accepted: 1,
    paid: 1,
    gmv: '3000000',
    selfAwarded: '0',
    platformFees: '225000',
    evaluatorFees: '0',
    payouts: 1,
    payoutSeconds: '60',
    medianPayoutSeconds: 60,
    requesters: 1,
    workers: 1,
  }
  const modes = ['all', 'bounty'].map((mode) => ({ ...activity, mode }))
  await sql`insert into service.daily_activity ${sql(modes)}`
  const money = { day, serviceFees: '1000', escrow: '12000000', stakes: '0', credits: '0', prepaid: '0' }
  await sql`insert into service.daily_money ${sql(money)}`
}
