"""What a caller of the generated Python client does: two courts to the last page, a record, and each refusal."""

import json
import os
import sys

from jurisprudencia_client import AuthenticatedClient, Client
from jurisprudencia_client.api.jurisprudencia import busca, cobertura, decisao
from jurisprudencia_client.models import Erro

url, key, small_key, limited_url = (os.environ[name] for name in ("URL", "KEY", "SMALL_KEY", "LIMITED_URL"))
client = AuthenticatedClient(base_url=url, token=key)
small = AuthenticatedClient(base_url=url, token=small_key)
limited = AuthenticatedClient(base_url=limited_url, token=key)


def search(q: str, **more):
    """Every page of a search."""
    ids, unanswered = [], []
    page = busca.sync(client=client, q=q, limite=5, **more)
    while True:
        if isinstance(page, Erro):
            return {"codigo": page.codigo.value}
        ids += [item.id for item in page.itens]
        unanswered += [one.base for one in page.bases_sem_resposta]
        if page.proximo_cursor is None:
            return {"ids": ids} if not unanswered else {"sem_resposta": unanswered}
        page = busca.sync(client=client, q=q, limite=5, cursor=page.proximo_cursor, **more)


found = search("dano moral", tribunal="stj,tst")
record = decisao.sync(found["ids"][0], client=client)
missing = decisao.sync("stj:999", client=client)
quota = busca.sync_detailed(client=small, q="dano")
ip = busca.sync_detailed(client=limited, q="dano")
json.dump(
    {
        "found": found,
        "ementa": record.ementa,
        "tribunais": len(cobertura.sync(client=Client(base_url=url)).tribunais),
        "missing": missing.codigo.value if isinstance(missing, Erro) else None,
        "quota": [quota.status_code, json.loads(quota.parsed)["codigo"]],
        "ip": [ip.status_code, ip.parsed],
        "searches": [search(q) for q in json.loads(os.environ["QUERIES"])],
    },
    sys.stdout,
)
