import { ponder } from 'ponder:registry'
import { identity, identityRegistration } from '../../schema/agent.ts'
import { positionOf } from '../../store/event-position.ts'
import { claimIdentity, setIdentityOwner } from '../../store/identities.ts'

ponder.on('IdentityRegistry:Transfer', async ({ event, context }) => {
  await setIdentityOwner(context.db, event.args.tokenId, event.args.to)
})

ponder.on('IdentityRegistry:Registered', async ({ event, context }) => {
  const { agentId, owner } = event.args
  // The registry registers its caller. The transfers decide who owns the identity; this event says who claimed it.
  await claimIdentity(context.db, agentId, owner)
  await context.db.update(identity, { agentId }).set({ registeredAt: event.block.timestamp })
  const registration = { agentId, account: owner, ...positionOf(event) }
  await context.db.insert(identityRegistration).values(registration).onConflictDoNothing()
})
