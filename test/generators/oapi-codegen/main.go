// Places and reads one order of each family with the client of oapi-codegen. Prints what it read as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"orders/dgo"
)

type order struct {
	ID            int64   `json:"id"`
	Status        string  `json:"status"`
	ChargedAmount float64 `json:"charged_amount"`
}

type result struct {
	Balance   float64          `json:"balance"`
	Orders    map[string]order `json:"orders"`
	HasEvents bool             `json:"has_events"`
}

func main() {
	var bodies struct {
		Voucher dgo.VoucherOrderRequest `json:"voucher"`
		Topup   dgo.TopupOrderRequest   `json:"topup"`
		Esim    dgo.EsimOrderRequest    `json:"esim"`
	}
	check(json.Unmarshal([]byte(os.Getenv("BODIES")), &bodies))

	ctx := context.Background()
	login, err := dgo.NewClientWithResponses(os.Getenv("API"))
	check(err)
	session, err := login.LoginWithResponse(ctx, dgo.LoginRequest{Username: os.Getenv("KEY"), Password: os.Getenv("SECRET")})
	check(err)
	token := found(session.JSON200, session.Body).Data.AccessToken
	api, err := dgo.NewClientWithResponses(os.Getenv("API"), dgo.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		}))
	check(err)

	wallets, err := api.ListWalletsWithResponse(ctx)
	check(err)
	read := result{Balance: (*found(wallets.JSON200, wallets.Body))[0].Balance, Orders: map[string]order{}}

	voucher, err := api.CreateVoucherOrderWithResponse(ctx, nil, bodies.Voucher)
	check(err)
	voucherRead, err := api.GetVoucherOrderWithResponse(ctx, found(voucher.JSON200, voucher.Body).Id)
	check(err)
	v := found(voucherRead.JSON200, voucherRead.Body)
	read.Orders["voucher"] = order{v.Id, string(v.Status), v.ChargedAmount}

	topup, err := api.CreateTopupOrderWithResponse(ctx, nil, bodies.Topup)
	check(err)
	topupRead, err := api.GetTopupOrderWithResponse(ctx, found(topup.JSON200, topup.Body).Id)
	check(err)
	t := found(topupRead.JSON200, topupRead.Body)
	read.Orders["topup"] = order{t.Id, string(t.Status), t.ChargedAmount}

	esim, err := api.CreateEsimOrderWithResponse(ctx, nil, bodies.Esim)
	check(err)
	esimRead, err := api.GetEsimOrderWithResponse(ctx, found(esim.JSON200, esim.Body).Id)
	check(err)
	e := found(esimRead.JSON200, esimRead.Body)
	read.Orders["esim"] = order{e.Id, string(e.Status), e.ChargedAmount}

	events, err := api.ListWebhookEventsWithResponse(ctx, nil)
	check(err)
	read.HasEvents = len(*found(events.JSON200, events.Body)) > 0

	check(json.NewEncoder(os.Stdout).Encode(read))
}

// found returns the body of a response with status 200, and ends the program for any other response.
func found[Body any](body *Body, text []byte) *Body {
	if body == nil {
		check(fmt.Errorf("not 200: %s", text))
	}
	return body
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
