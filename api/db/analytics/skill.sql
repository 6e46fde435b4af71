-- Tags that workers were awarded for. The texts of tags are those of public tasks alone (service.tag_texts).
select
  k.id,
  k.worker,
  x.text as tag,
  k.tag_hash,
  k.task_count
from market.agent_skill k
left join service.tag_texts x on x.hash = k.tag_hash
