import { ponder } from 'ponder:registry'
import { identity } from '../../schema/agent.ts'
import { setIdentityOwner } from '../../store/identities.ts'

ponder.on('IdentityRegistry:Transfer', async ({ event, context }) => {
  await setIdentityOwner(context.db, event.args.tokenId, event.args.to)
})

ponder.on('IdentityRegistry:Registered', async ({ event, context }) => {
  const { agentId, owner } = event.args
  // The transfer from zero of the same transaction decides who owns it; this event counts only where it comes first.
  const known = await context.db.find(identity, { agentId })
  if (known === null) await setIdentityOwner(context.db, agentId, owner)
  await context.db.update(identity, { agentId }).set({ registeredAt: event.block.timestamp })
})
