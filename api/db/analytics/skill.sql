-- Tags that workers were awarded for. The texts of tags are those of public tasks alone (service.tag_texts): a subquery, so that no
-- condition of a reader is called with the text of another row.
select
  k.id,
  k.worker,
  (select x.text from service.tag_texts x where x.hash = k.tag_hash) as tag,
  k.tag_hash,
  k.task_count
from market.agent_skill k
