// What a caller of the generated Go client does: two courts to the last page, a record, and each refusal.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"generators/api"
)

type object = map[string]any

var ctx = context.Background()

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func clientOf(url, key string) *api.ClientWithResponses {
	return must(api.NewClientWithResponses(url, api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	})))
}

// Every page of a search.
func search(client *api.ClientWithResponses, q string, tribunal *string) object {
	limite := 5
	params := &api.BuscaParams{Q: q, Limite: &limite, Tribunal: tribunal}
	ids, unanswered := []string{}, []api.Base{}
	for {
		answer := must(client.BuscaWithResponse(ctx, params))
		if answer.JSON400 != nil {
			return object{"codigo": answer.JSON400.Codigo}
		}
		for _, item := range answer.JSON200.Itens {
			ids = append(ids, item.Id)
		}
		for _, one := range answer.JSON200.BasesSemResposta {
			unanswered = append(unanswered, one.Base)
		}
		if answer.JSON200.ProximoCursor == nil {
			break
		}
		params.Cursor = answer.JSON200.ProximoCursor
	}
	if len(unanswered) > 0 {
		return object{"sem_resposta": unanswered}
	}
	return object{"ids": ids}
}

func main() {
	url := os.Getenv("URL")
	client := clientOf(url, os.Getenv("KEY"))
	courts := "stj,tst"
	found := search(client, "dano moral", &courts)
	ids, _ := found["ids"].([]string)
	record := must(client.DecisaoWithResponse(ctx, ids[0], nil))
	missing := must(client.DecisaoWithResponse(ctx, "stj:999", nil))
	quota := must(clientOf(url, os.Getenv("SMALL_KEY")).BuscaWithResponse(ctx, &api.BuscaParams{Q: "dano"}))
	ip := must(clientOf(os.Getenv("LIMITED_URL"), os.Getenv("KEY")).BuscaWithResponse(ctx, &api.BuscaParams{Q: "dano"}))
	searches := []object{}
	queries := []string{}
	if err := json.Unmarshal([]byte(os.Getenv("QUERIES")), &queries); err != nil {
		log.Fatal(err)
	}
	for _, q := range queries {
		searches = append(searches, search(client, q, nil))
	}
	err := json.NewEncoder(os.Stdout).Encode(object{
		"found":     found,
		"ementa":    record.JSON200.Ementa,
		"tribunais": len(must(client.CoberturaWithResponse(ctx, nil)).JSON200.Tribunais),
		"missing":   missing.JSON404.Codigo,
		"quota":     []any{quota.StatusCode(), quota.JSON429.Codigo},
		"ip":        []any{ip.StatusCode(), string(ip.Body)},
		"searches":  searches,
	})
	if err != nil {
		log.Fatal(err)
	}
}
