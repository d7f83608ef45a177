// Compares today's statement of the default wallet with the statement of today's orders, to the cent.
//
// The account is that of API_URL, API_KEY and API_SECRET, else `demo` on the stack of `npm start`. It needs Go 1.21 or newer:
// go run reconcile.go
package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type account struct{ url, key, secret, token string }

type line map[string]string

func main() {
	log.SetFlags(0)
	client := open()
	var wallets []struct {
		ID           int    `json:"id"`
		CurrencyCode string `json:"currency_code"`
		IsDefault    bool   `json:"is_default"`
	}
	check(json.Unmarshal(client.get("/api/v1/wallets"), &wallets))
	wallet := wallets[0]
	for _, each := range wallets {
		if each.IsDefault {
			wallet = each
		}
	}
	today := time.Now().UTC()
	period := "from=" + today.Format(time.DateOnly) + "&to=" + today.AddDate(0, 0, 1).Format(time.DateOnly)
	// The orders first: an order placed in between then has an entry but is not in the list, never the reverse.
	orders := lines(client.get("/api/v1/statements/orders?" + period))
	entries := lines(client.get(fmt.Sprintf("/api/v1/wallets/%d/statement?%s", wallet.ID, period)))
	if orders[len(orders)-1]["line"] != "END" || entries[len(entries)-1]["kind"] != "CLOSING" {
		log.Fatal("A statement is incomplete: get it again")
	}

	var faults []string
	amounts := map[string]string{}
	balance := amount(entries[0]["balance"])
	for _, entry := range entries[1 : len(entries)-1] {
		amounts[entry["transaction_id"]] = entry["amount"]
		if entry["type"] == "CREDIT" {
			balance.Add(balance, amount(entry["amount"]))
		} else {
			balance.Sub(balance, amount(entry["amount"]))
		}
		if balance.Cmp(amount(entry["balance"])) != 0 {
			faults = append(faults, fmt.Sprintf("%s %s leaves %s", entry["kind"], entry["transaction_id"], entry["balance"]))
		}
	}
	count := 0
	for _, order := range orders {
		if order["wallet_id"] != fmt.Sprint(wallet.ID) {
			continue
		}
		count++
		for id, value := range map[string]string{"transaction_id": "charged_amount", "refund_transaction_id": "refunded_amount"} {
			if entry := order[id]; entry != "" && amounts[entry] != order[value] {
				faults = append(faults, fmt.Sprintf("Order %s says %s, entry %s says %q", order["id"], order[value], entry, amounts[entry]))
			}
		}
	}
	fmt.Printf("%d orders, %s %s at the end\n", count, wallet.CurrencyCode, entries[len(entries)-1]["balance"])
	if len(faults) > 0 {
		log.Fatal(strings.Join(faults, "\n"))
	}
	fmt.Println("Everything agrees, to the cent")
}

// The lines of a statement by column. The first apostrophe of a text only keeps spreadsheets from reading a formula.
func lines(text []byte) []line {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	check(err)
	var all []line
	for _, row := range rows[1:] {
		one := line{}
		for column, name := range rows[0] {
			one[name] = strings.TrimPrefix(row[column], "'")
		}
		all = append(all, one)
	}
	return all
}

func amount(text string) *big.Rat {
	value, isNumber := new(big.Rat).SetString(text)
	if !isNumber {
		log.Fatalf("%q is no amount", text)
	}
	return value
}

func (client *account) get(path string) []byte {
	request, err := http.NewRequest("GET", client.url+path, nil)
	check(err)
	request.Header.Set("Authorization", "Bearer "+client.token)
	return read(http.DefaultClient.Do(request))
}

func read(response *http.Response, err error) []byte {
	check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode >= 300 {
		log.Fatalf("The service rejected a call: %d %s", response.StatusCode, body)
	}
	return body
}

// Logs in with the settings of the environment, else with those of the stack in this folder or one above.
func open() *account {
	client := &account{url: os.Getenv("API_URL"), key: os.Getenv("API_KEY"), secret: os.Getenv("API_SECRET")}
	if client.url == "" || client.key == "" || client.secret == "" {
		client = ofStack()
	}
	login, err := json.Marshal(map[string]string{"username": client.key, "password": client.secret})
	check(err)
	var session struct {
		Data struct {
			Token string `json:"access_token"`
		} `json:"data"`
	}
	body := read(http.Post(client.url+"/auth/login", "application/json", bytes.NewReader(login)))
	check(json.Unmarshal(body, &session))
	client.token = session.Data.Token
	return client
}

func ofStack() *account {
	folder, err := os.Getwd()
	check(err)
	for ; ; folder = filepath.Dir(folder) {
		file, err := os.ReadFile(filepath.Join(folder, ".run", "stack.json"))
		if err == nil {
			var stack struct {
				URL     string `json:"api_url"`
				Clients map[string]struct {
					Key    string `json:"api_key"`
					Secret string `json:"api_secret"`
				} `json:"clients"`
			}
			check(json.Unmarshal(file, &stack))
			demo := stack.Clients["demo"]
			return &account{url: stack.URL, key: demo.Key, secret: demo.Secret}
		}
		if filepath.Dir(folder) == folder {
			log.Fatal("Set API_URL, API_KEY and API_SECRET, or start a stack with npm start.")
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
